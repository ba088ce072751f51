public import Diagnostics

extension PixelContract {
  /// Reads `pixels(…)`: a preset first, where one fits, then whatever differs from it.
  ///
  ///     pixels(imagenet, rounding: truncate)
  ///     pixels(order: bgr, input_scale: [1, 1, 1], input_bias: [-103.9, -116.8, -123.7], …)
  ///
  /// - Throws: `.badInput` with the line of an unknown word or a wrong value.
  public init(_ call: GraphSyntax.Call) throws(StyleModelError) {
    var contract = PixelPreset.raw255.contract
    func problem(_ text: String) -> StyleModelError {
      StyleModelError(.badInput, place: "line \(call.line)", "pixels(…): \(text)")
    }
    func word<Word: RawRepresentable & CaseIterable>(
      _ expression: GraphSyntax.Expression, _: Word.Type
    ) throws(StyleModelError) -> Word where Word.RawValue == String {
      if case .word(let text) = expression, let word = Word(rawValue: text) { return word }
      throw problem("wants one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    func numbers(_ expression: GraphSyntax.Expression, _ count: Int) throws(StyleModelError) -> [Float] {
      guard case .list(let items) = expression, items.count == count else {
        throw problem("wants lists of \(count) numbers")
      }
      var result: [Float] = []
      for item in items {
        switch item {
        case .integer(let value): result.append(Float(value))
        case .number(let value): result.append(value)
        default: throw problem("wants lists of numbers")
        }
      }
      return result
    }
    func extents(_ expression: GraphSyntax.Expression) throws(StyleModelError) -> [Int] {
      guard case .integers(let values)? = expression.attribute, values.count == 2,
        values.allSatisfy({ (-1...(1 << 20)).contains($0) })
      else { throw problem("wants sizes as two whole numbers") }
      return values
    }
    var ranges: [String: ClosedSizeRange] = [:]
    for argument in call.arguments {
      let value = argument.expression
      switch argument.label {
      case "": contract = try word(value, PixelPreset.self).contract
      case "order": contract.channelOrder = try word(value, ChannelOrder.self)
      case "input_scale": contract.inputScale = try numbers(value, 3)
      case "input_bias": contract.inputBias = try numbers(value, 3)
      case "output_scale": contract.outputScale = try numbers(value, 3)
      case "output_bias": contract.outputBias = try numbers(value, 3)
      case "rounding": contract.rounding = try word(value, Rounding.self)
      case "sizes":
        guard case .list(let items) = value, !items.isEmpty else { throw problem("'sizes:' wants a list") }
        var sizes: [PictureSize] = []
        for item in items {
          let pair = try extents(item)
          guard pair.allSatisfy({ $0 > 0 }) else { throw problem("wants sizes above zero") }
          sizes.append(PictureSize(width: pair[0], height: pair[1]))
        }
        contract.sizes = .listed(sizes)
      case "widths", "heights":
        let pair = try extents(value)
        guard pair[0] > 0, pair[1] < 0 || pair[1] >= pair[0] else {
          throw problem("wants a range from low to high")
        }
        ranges[argument.label] = ClosedSizeRange(lower: pair[0], upper: pair[1] < 0 ? nil : pair[1])
      default: throw problem("does not know '\(argument.label):'")
      }
    }
    if let widths = ranges["widths"], let heights = ranges["heights"] {
      contract.sizes = .range(width: widths, height: heights)
    } else if !ranges.isEmpty {
      throw problem("wants 'widths:' and 'heights:' together")
    }
    self = contract
  }
}
