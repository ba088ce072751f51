import CSchemas
import Diagnostics
import ModelGraph
import PictureTracing
import Tensors

/// Networks of several styles: an input beside the picture chooses, linearly, what their norms multiply with and add.
extension LayerConversion {
  /// Starts with an input that chooses a style.
  /// - Parameters:
  ///   - shape: the shape of its blob, with as many numbers as there are styles; nil where the file does not say how many.
  mutating func addStyleInput(_ name: String, shape: [Int]?) throws(StyleModelError) {
    styleInput = name
    values[name] = .styleInput
    if let shape { try resolve(shape) }
  }

  /// Tells how many styles there are by the first layer that uses the input, where the file does not say it.
  mutating func resolveStyleInput() throws(StyleModelError) {
    guard inputNames.contains(where: { if case .styleInput? = values[$0] { true } else { false } }) else {
      return
    }
    if layer.layer_case == COREML__LAYER__LAYER_INNER_PRODUCT {
      return try resolve([1, 1, try extent(layer.inner_product.pointee.input_channels, "inputs"), 1, 1])
    }
    for name in inputNames {
      if case .numbers(let numbers)? = values[name], let shape = numbers.first?.shape, shape.count == 5,
        shape[0] > 1
      {
        return try resolve([shape[0], 1, 1, 1, 1])
      }
    }
    throw StyleModelError(
      .badInput,
      "uses the input '\(printable(styleInput ?? "", limit: 60))', whose length the file does not say")
  }

  private mutating func resolve(_ shape: [Int]) throws(StyleModelError) {
    let count = try Numbers.count(shape)
    guard (1...StyleSet.greatestCount).contains(count), let name = styleInput else {
      throw StyleModelError(
        .badInput, "chooses from \(grouped(count)) styles; 1 to \(grouped(StyleSet.greatestCount)) can be")
    }
    try spend(count * (count + 1))
    styleCount = count
    values[name] = .styled(
      (0...count).map { style in
        Numbers(shape: shape, .floats((1...count).map { $0 == style ? 1 : 0 }))
      })
  }

  /// What becomes of a picture, or a statistic, that is combined with numbers that depend on the style.
  mutating func conditioned(
    _ function: ArithmeticFunction, _ other: LayerValue, _ table: [Numbers], tableIsLeft: Bool
  ) throws(StyleModelError) -> LayerValue {
    if let rest = table.first?.floats, rest.contains(where: { $0 != 0 }) {
      note("blends of styles are exact where their weights add up to 1")
    }
    switch other {
    case .picture(let picture):
      let rows = try rows(table) { numbers throws(StyleModelError) in try channelNumbers(numbers, picture) }
      let channels = try probes.channels(picture.term.source)
      switch (function, picture.term) {
      case (.multiply, .value(let value)):
        return .picture(try scaledNorm(value, try spread(rows, channels), channels, like: picture))
      case (.add, .value(let value)):
        return .picture(try shiftedNorm(value, try spread(rows, channels), channels, like: picture))
      default: throw misused()
      }
    case .statistic(let statistic):
      let rows = try rows(table) { numbers throws(StyleModelError) in
        let shape =
          [Int](repeating: 1, count: max(0, statistic.shape.count - numbers.shape.count)) + numbers.shape
        guard numbers.count == 1 || shape == statistic.shape else { throw misused() }
        return numbers.floats
      }
      let numbers = DecomposedNorm.Term.numbers(try spread(rows, statistic.channels))
      let term = DecomposedNorm.Term.statistic(statistic.term)
      return LayerValue(
        try combine(
          function, tableIsLeft ? numbers : term, tableIsLeft ? term : numbers, statistic: statistic))
    default: throw misused()
    }
  }

  private func misused() -> StyleModelError {
    StyleModelError(
      .badInput, "uses the input that chooses a style in a way that is not understood",
      remedy: "as factors and summands of instance norms it is")
  }

  /// What each style alone gives. What stays without any style is part of each.
  private func rows(
    _ table: [Numbers], _ numbers: (Numbers) throws(StyleModelError) -> [Float]
  ) throws(StyleModelError) -> [[Float]] {
    var rows: [[Float]] = []
    for style in table.dropFirst() { rows.append(try numbers(style)) }
    return rows
  }

  /// A table `[styles, channels]`.
  private mutating func spread(_ rows: [[Float]], _ channels: Int) throws(StyleModelError) -> [Float] {
    try spend(rows.count * channels)
    return rows.flatMap { $0.count == channels ? $0 : [Float](repeating: $0.first ?? 0, count: channels) }
  }

  /// A norm whose factors and summands depend on the style, in place of one that is multiplied with such factors.
  private mutating func scaledNorm(
    _ value: ValueID, _ factors: [Float], _ channels: Int, like picture: PictureValue
  ) throws(StyleModelError) -> PictureValue {
    guard case .instanceNorm(let norm)? = probes.definition(of: value) else { throw misused() }
    func own(_ vector: ValueID?, _ standard: Float) -> [Float] {
      vector.flatMap { probes.graph.tensor($0)?.floats() } ?? [Float](repeating: standard, count: channels)
    }
    let gamma = own(norm.gamma, 1)
    let beta = own(norm.beta, 0)
    return try emitConditionalNorm(
      norm.input, gamma: factors.indices.map { factors[$0] * gamma[$0 % channels] },
      beta: factors.indices.map { factors[$0] * beta[$0 % channels] }, epsilon: norm.epsilon,
      channels: channels,
      like: picture)
  }

  /// The same with what is added to it.
  private mutating func shiftedNorm(
    _ value: ValueID, _ summands: [Float], _ channels: Int, like picture: PictureValue
  ) throws(StyleModelError) -> PictureValue {
    guard case .conditionalInstanceNorm(let norm)? = probes.definition(of: value),
      let gamma = probes.graph.tensor(norm.gamma)?.floats(),
      let beta = probes.graph.tensor(norm.beta)?.floats()
    else { throw misused() }
    return try emitConditionalNorm(
      norm.input, gamma: gamma, beta: zip(beta, summands).map { $0 + $1 }, epsilon: norm.epsilon,
      channels: channels, like: picture)
  }
}
