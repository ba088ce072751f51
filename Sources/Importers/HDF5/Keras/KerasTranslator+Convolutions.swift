import Diagnostics
import ModelGraph
import Tensors

extension KerasTranslator {
  /// What stands in the place of a convolution, or nil for other classes.
  mutating func convolution(_ layer: KerasLayer, _ input: ValueID) throws(StyleModelError) -> ValueID? {
    switch layer.className {
    case "Conv2D", "Convolution2D": return try plainConvolution(layer, input)
    case "DepthwiseConv2D": return try depthwiseConvolution(layer, input)
    case "SeparableConv2D", "SeparableConvolution2D": return try separableConvolution(layer, input)
    case "Conv2DTranspose", "Convolution2DTranspose", "Deconvolution2D", "Deconv2D":
      return try transposedConvolution(layer, input)
    default: return nil
    }
  }

  private mutating func plainConvolution(_ layer: KerasLayer, _ input: ValueID) throws(StyleModelError)
    -> ValueID
  {
    let hasBias = try layer.flag("use_bias", default: true)
    let found = try variables(of: layer, [("kernel", 4)] + (hasBias ? [("bias", 1)] : []))
    let kernel = try kernel(found, "kernel", layer)
    let groups = try layer.number("groups").map { Int(exactly: $0) ?? 0 } ?? 1
    guard groups > 0 else { throw layer.refusal("groups", "a whole number above zero is read") }
    var operation = Convolution(input: input, weight: kernel, bias: bias(found), groups: groups)
    try setUp(&operation, layer)
    return try activated(layer, try append(.convolution(operation)))
  }

  private mutating func depthwiseConvolution(
    _ layer: KerasLayer, _ input: ValueID
  ) throws(StyleModelError) -> ValueID {
    let hasBias = try layer.flag("use_bias", default: true)
    // Keras 2 says depthwise_kernel, Keras 3 kernel.
    let names = weights.variables(of: layer.name).map(\.role)
    let role = names.contains("kernel") ? "kernel" : "depthwise_kernel"
    let found = try variables(of: layer, [(role, 4)] + (hasBias ? [("bias", 1)] : []))
    var operation = Convolution(
      input: input, weight: try kernel(found, role, layer, isDepthwise: true), bias: bias(found),
      groups: channels(input))
    try setUp(&operation, layer)
    return try activated(layer, try append(.convolution(operation)))
  }

  private mutating func separableConvolution(
    _ layer: KerasLayer, _ input: ValueID
  ) throws(StyleModelError) -> ValueID {
    let hasBias = try layer.flag("use_bias", default: true)
    let found = try variables(
      of: layer, [("depthwise_kernel", 4), ("pointwise_kernel", 4)] + (hasBias ? [("bias", 1)] : []))
    var depthwise = Convolution(
      input: input, weight: try kernel(found, "depthwise_kernel", layer, isDepthwise: true),
      groups: channels(input))
    try setUp(&depthwise, layer)
    let pointwise = Convolution(
      input: try append(.convolution(depthwise)), weight: try kernel(found, "pointwise_kernel", layer),
      bias: bias(found))
    return try activated(layer, try append(.convolution(pointwise)))
  }

  /// TensorFlow's "same" makes a picture `stride` times as large: what the kernels reach beyond that is cropped, the
  /// odd row at the bottom; what they do not reach is filled with the bias.
  private mutating func transposedConvolution(
    _ layer: KerasLayer, _ input: ValueID
  ) throws(StyleModelError) -> ValueID {
    let hasBias = try layer.flag("use_bias", default: true)
    let found = try variables(of: layer, [("kernel", 4)] + (hasBias ? [("bias", 1)] : []))
    let weight = try kernel(found, "kernel", layer)
    let taps = graph.tensor(weight)?.shape ?? [0, 0, 0, 0]
    try layer.require("output_padding", isOneOf: [])
    try layer.require("dilation_rate", isOneOf: [1, [1, 1]])
    let stride = try stride(layer)
    var operation = TransposedConvolution(input: input, weight: weight, bias: bias(found), stride: stride)
    switch try layer.word("padding", default: "valid") {
    case "valid":
      // Keras counts max(k, stride) for the last pixel.
      operation.outputPadding = Pair(max(0, stride.vertical - taps[2]), max(0, stride.horizontal - taps[3]))
    case "same":
      let rows = surplus(taps[2], stride.vertical)
      let columns = surplus(taps[3], stride.horizontal)
      operation.padding = Insets(
        top: rows.before, left: columns.before, bottom: rows.after, right: columns.after)
      operation.outputPadding = Pair(rows.missing, columns.missing)
    default: throw layer.refusal("padding", "\"valid\" and \"same\" are read")
    }
    return try activated(layer, try append(.transposedConvolution(operation)))
  }

  /// How a transposed convolution comes to `stride` pixels for each one.
  private func surplus(_ taps: Int, _ stride: Int) -> (before: Int, after: Int, missing: Int) {
    // Theano pads by half the kernel on both sides, whatever the stride.
    if weights.kernelsAreFlipped { return (taps / 2, taps / 2, max(0, stride - taps + taps / 2 * 2)) }
    let total = max(0, taps - stride)
    return (total / 2, total - total / 2, max(0, stride - taps))
  }

  // MARK: Parts

  private mutating func setUp(_ operation: inout Convolution, _ layer: KerasLayer) throws(StyleModelError) {
    operation.stride = try stride(layer)
    let dilation = try layer.pair("dilation_rate", default: (1, 1))
    guard min(dilation.0, dilation.1) > 0 else {
      throw layer.refusal("dilation_rate", "numbers above zero are read")
    }
    operation.dilation = Pair(dilation.0, dilation.1)
    switch try layer.word("padding", default: "valid") {
    case "valid": break
    case "same": try padSame(&operation, layer)
    default: throw layer.refusal("padding", "\"valid\" and \"same\" are read")
    }
  }

  private func padSame(_ operation: inout Convolution, _ layer: KerasLayer) throws(StyleModelError) {
    guard let kernel = graph.tensor(operation.weight)?.shape else { return }
    if weights.kernelsAreFlipped {
      guard kernel[2] % 2 == 1, kernel[3] % 2 == 1 else {
        throw layer.refusal("padding", "with the backend theano it is read for odd kernels only")
      }
      let (rows, columns) = (
        operation.dilation.vertical * (kernel[2] / 2), operation.dilation.horizontal * (kernel[3] / 2)
      )
      operation.padding = Insets(top: rows, left: columns, bottom: rows, right: columns)
      return
    }
    operation.same = .upper
    // Without a stride the size does not matter, and passes know what to do with fixed padding.
    if operation.stride == .one {
      operation.padding = operation.insets(picture: [1, 1, 64, 64], kernel: kernel)
      operation.same = nil
    }
  }

  private func stride(_ layer: KerasLayer) throws(StyleModelError) -> Pair {
    let stride = try layer.pair("strides", default: (1, 1))
    guard min(stride.0, stride.1) > 0 else { throw layer.refusal("strides", "numbers above zero are read") }
    return Pair(stride.0, stride.1)
  }

  private mutating func kernel(
    _ found: [String: KerasWeights.Variable], _ role: String, _ layer: KerasLayer, isDepthwise: Bool = false
  ) throws(StyleModelError) -> ValueID {
    guard let variable = found[role] else { throw layer.problem("has no \(role)") }
    return constant(
      variable.name,
      try variable.tensor.fromKeras(isDepthwise: isDepthwise, isFlipped: weights.kernelsAreFlipped))
  }

  private mutating func bias(_ found: [String: KerasWeights.Variable]) -> ValueID? {
    found["bias"].map { constant($0.name, $0.tensor) }
  }
}
