import Diagnostics
import ModelGraph
import PictureTracing
import Tensors

extension NetworkConversion {
  /// `Conv`.
  mutating func convertConvolution() throws(StyleModelError) -> ImportedValue {
    let input = try plain()
    let window = try window()
    let (insets, same) = try padding()
    var operation = Convolution(
      input: input, weight: window.weight, bias: try weight(2)?.value, stride: window.stride, padding: insets,
      same: same, dilation: window.dilation, groups: try node.integer("group", default: 1))
    if insets == .zero, same == nil, let pad = part(ONNXFormat.Part.padding, of: input),
      case .pad(let padding) = pad
    {
      operation.input = padding.input
      operation.padding = padding.amounts
      operation.paddingMode = padding.mode
    }
    return try emitted(.convolution(operation))
  }

  /// `AveragePool`, a convolution of each channel with equal weights.
  mutating func convertAveragePool() throws(StyleModelError) -> ImportedValue {
    let input = try plain()
    let channels = try probes.channels(input)
    let taps = try pair("kernel_shape", default: 0)
    let padding = try insets("pads")
    let rule = try node.word("auto_pad", default: "NOTSET")
    let roundsUp = try node.integer("ceil_mode", default: 0) != 0
    let countsEdges = try node.integer("count_include_pad", default: 0) != 0
    guard ["NOTSET", "VALID"].contains(rule), !roundsUp, padding == .zero || countsEdges else {
      throw StyleModelError(.badInput, "averages fewer pixels at the edges, which is not understood")
    }
    guard (1...64).contains(taps.vertical), (1...64).contains(taps.horizontal) else {
      throw StyleModelError(.badInput, "averages \(taps.horizontal)x\(taps.vertical) pixels")
    }
    let area = taps.vertical * taps.horizontal
    let count = try Numbers.count([channels, area])
    try spend(count)
    let kernel = probes.constant(
      "average.\(channels).\(taps.vertical)x\(taps.horizontal)",
      StoredTensor(
        shape: Shape([channels, 1, taps.vertical, taps.horizontal]),
        floats: [Float](repeating: 1 / Float(area), count: count)))
    return try emitted(
      .convolution(
        Convolution(
          input: input, weight: kernel, stride: try pair("strides", default: 1), padding: padding,
          dilation: try pair("dilations", default: 1), groups: channels)))
  }

  /// `ConvTranspose`.
  mutating func convertTransposedConvolution() throws(StyleModelError) -> ImportedValue {
    let input = try plain()
    let window = try window()
    let outputPadding = try pair("output_padding", default: 0)
    var padding = try insets("pads")
    let mode = try node.word("auto_pad", default: "NOTSET")
    if let wanted = try node.integers("output_shape") {
      // Only where the file was traced at one size can a fixed extent mean anything, and there it means a padding.
      padding = try cropped(input, window, outputPadding, mode) { _ in Array(wanted.suffix(2)) }
    } else if mode.hasPrefix("SAME") {
      padding = try cropped(input, window, outputPadding, mode) {
        [$0.height * window.stride.vertical, $0.width * window.stride.horizontal]
      }
    } else if mode == "VALID" {
      padding = .zero
    }
    let operation = TransposedConvolution(
      input: input, weight: window.weight, bias: try weight(2)?.value, stride: window.stride,
      padding: padding,
      outputPadding: outputPadding, dilation: window.dilation, groups: try node.integer("group", default: 1))
    return try emitted(.transposedConvolution(operation))
  }

  /// The kernels of a convolution and how they are laid out.
  private struct Window {
    let weight: ValueID
    let taps: Pair
    let stride: Pair
    let dilation: Pair

    /// How far the taps reach.
    var reach: Pair {
      Pair(dilation.vertical * (taps.vertical - 1) + 1, dilation.horizontal * (taps.horizontal - 1) + 1)
    }
  }

  private mutating func window() throws(StyleModelError) -> Window {
    guard let (value, shape) = try weight(1) else { throw StyleModelError(.badInput, "has no weights") }
    guard shape.rank == 4 else {
      throw StyleModelError(.badInput, "has weights of shape \(shape); those of a picture have 4 extents")
    }
    if let taps = try node.integers("kernel_shape"), taps != Array(shape.dimensions.suffix(2)) {
      throw StyleModelError(.badInput, "says \(taps) taps, but its weights have shape \(shape)")
    }
    return Window(
      weight: value, taps: Pair(shape[2], shape[3]), stride: try pair("strides", default: 1),
      dilation: try pair("dilations", default: 1))
  }

  private func pair(_ name: String, default standard: Int) throws(StyleModelError) -> Pair {
    guard let list = try node.integers(name) else { return Pair(standard, standard) }
    guard list.count == 2, list.allSatisfy({ (0...4096).contains($0) }) else {
      throw StyleModelError(
        .badInput, "attribute '\(name)' wants two whole numbers from 0 to 4096, not \(list)")
    }
    return Pair(list[0], list[1])
  }

  /// The standard writes the beginnings of all axes first, then their ends.
  private func insets(_ name: String) throws(StyleModelError) -> Insets {
    guard let list = try node.integers(name) else { return .zero }
    guard list.count == 4 else {
      throw StyleModelError(.badInput, "attribute '\(name)' wants four whole numbers, not \(list)")
    }
    return Insets(top: list[0], left: list[1], bottom: list[2], right: list[3])
  }

  /// The padding of a convolution, fixed or by the picture's size.
  private func padding() throws(StyleModelError) -> (insets: Insets, same: Convolution.Same?) {
    switch try node.word("auto_pad", default: "NOTSET") {
    case "NOTSET": return (try insets("pads"), nil)
    case "VALID": return (.zero, nil)
    case "SAME_UPPER": return (.zero, .upper)
    case "SAME_LOWER": return (.zero, .lower)
    case let mode: throw StyleModelError(.badInput, "pads by an unknown rule '\(mode)'")
    }
  }

  /// What a transposed convolution crops to give the extents that are wanted.
  private func cropped(
    _ input: ValueID, _ window: Window, _ outputPadding: Pair, _ mode: String,
    wanted: (Arrangement.Picture) -> [Int]
  ) throws(StyleModelError) -> Insets {
    var found: [Insets] = []
    for probe in probes.alive {
      let extents = try probes.extents(input, probe)
      let size = wanted(extents)
      guard size.count == 2, size.allSatisfy({ (1...1 << 30).contains($0) }) else {
        throw StyleModelError(.badInput, "wants an output of \(size)")
      }
      let height =
        window.stride.vertical * (extents.height - 1) + outputPadding.vertical + window.reach.vertical
        - size[0]
      let width =
        window.stride.horizontal * (extents.width - 1) + outputPadding.horizontal + window.reach.horizontal
        - size[1]
      guard height >= 0, width >= 0 else {
        throw StyleModelError(.badInput, "wants an output larger than its kernels reach")
      }
      found.append(split(height, width, endIsLarger: mode == "SAME_UPPER"))
    }
    return try agreed("its output's size", found)
  }

  private func split(_ height: Int, _ width: Int, endIsLarger: Bool) -> Insets {
    let small = (height / 2, width / 2)
    let large = (height - height / 2, width - width / 2)
    return endIsLarger
      ? Insets(top: small.0, left: small.1, bottom: large.0, right: large.1)
      : Insets(top: large.0, left: large.1, bottom: small.0, right: small.1)
  }
}
