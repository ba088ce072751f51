public import Diagnostics
public import Tensors

/// A convolution (a cross-correlation, as all frameworks mean it), with what lies outside the picture chosen by
/// `paddingMode`.
public struct Convolution: OperationDefinition {
  /// Padding that depends on the picture's size, so that the result has `ceil(size / stride)` rows and columns: what
  /// TensorFlow, Core ML and ONNX call "same". Which side gets the odd one is the difference.
  public enum Same: String, Hashable, Sendable, CaseIterable {
    /// The odd row and column at the bottom and the right, as TensorFlow does.
    case upper
    /// The odd row and column at the top and the left.
    case lower
  }

  /// The picture, `[1, C_in, H, W]`.
  public var input: ValueID
  /// The kernels, `[C_out, C_in / groups, kH, kW]`.
  public var weight: ValueID
  /// What is added to each output channel, `[C_out]`; nil adds nothing.
  public var bias: ValueID?
  /// The step between output pixels.
  public var stride: Pair
  /// How far the kernels reach over each edge.
  public var padding: Insets
  /// What they find there.
  public var paddingMode: PaddingMode
  /// Padding by the picture's size instead of `padding`, which is zero then; nil for padding that is fixed.
  public var same: Same?
  /// The distance between taps.
  public var dilation: Pair
  /// The number of groups that channels are split into; as many as channels is a depthwise convolution.
  public var groups: Int

  /// Creates a convolution.
  public init(
    input: ValueID, weight: ValueID, bias: ValueID? = nil, stride: Pair = .one, padding: Insets = .zero,
    paddingMode: PaddingMode = .zero, same: Same? = nil, dilation: Pair = .one, groups: Int = 1
  ) {
    self.input = input
    self.weight = weight
    self.bias = bias
    self.stride = stride
    self.padding = padding
    self.paddingMode = paddingMode
    self.same = same
    self.dilation = dilation
    self.groups = groups
  }

  /// `conv`.
  public static let mnemonics = ["conv"]

  /// The operation as a call.
  public var call: OperationCall {
    OperationCall(
      "conv",
      operands: [.init(value: input), .init(role: "weight", value: weight)]
        + (bias.map { [.init(role: "bias", value: $0)] } ?? []),
      attributes: [
        .integers("stride", stride.list, default: [1, 1]),
        .integers("padding", padding.list, default: [0, 0, 0, 0]),
        same.map { .init("same", .word($0.rawValue)) },
        paddingMode == .zero ? nil : .init("padding_mode", .word(paddingMode.rawValue)),
        .integers("dilation", dilation.list, default: [1, 1]),
        .integers("groups", [groups], default: [1]),
      ])
  }

  /// Reads the operation back.
  public init(_ call: inout OperationCallReader) throws(StyleModelError) {
    input = try call.operand()
    weight = try call.operand("weight")
    bias = call.optionalOperand("bias")
    stride = try call.pair("stride", from: 1, default: .one)
    padding = try call.insets("padding")
    same = try call.optionalWord("same")
    guard same == nil || padding == .zero else { throw call.problem("wants 'padding:' or 'same:', not both") }
    paddingMode = try call.word("padding_mode", default: .zero)
    dilation = try call.pair("dilation", from: 1, default: .one)
    groups = try call.integers("groups", count: 1, in: 1...(1 << 20), default: [1])[0]
  }

  /// Replaces every value used.
  public mutating func mapOperands(_ replacement: (ValueID) -> ValueID) {
    input = replacement(input)
    weight = replacement(weight)
    bias = bias.map(replacement)
  }

  /// The padding for a picture and kernels of these shapes: `padding`, or what `same` comes to.
  public func insets(picture: Shape, kernel: Shape) -> Insets {
    guard let same, picture.rank == 4, kernel.rank == 4 else { return padding }
    func split(_ size: Int, _ stride: Int, _ reach: Int) -> (before: Int, after: Int) {
      let total = max(0, (size - 1) / stride * stride + reach - size)
      return same == .upper ? (total / 2, total - total / 2) : (total - total / 2, total / 2)
    }
    let rows = split(picture[2], stride.vertical, dilation.vertical * (kernel[2] - 1) + 1)
    let columns = split(picture[3], stride.horizontal, dilation.horizontal * (kernel[3] - 1) + 1)
    return Insets(top: rows.before, left: columns.before, bottom: rows.after, right: columns.after)
  }

  /// `[1, C_out, H', W']` with `H' = (H + padding - dilation * (kH - 1) - 1) / stride + 1`.
  public func resultShape(_ shape: (ValueID) -> Shape) throws(StyleModelError) -> Shape {
    let picture = shape(input)
    let kernel = shape(weight)
    try requirePicture(picture, "conv")
    guard kernel.rank == 4, kernel.dimensions.allSatisfy({ $0 > 0 }),
      max(kernel[2], kernel[3]) <= greatestExtent
    else { throw StyleModelError(.badInput, "conv wants weights [C_out, C_in, kH, kW], not \(kernel)") }
    guard kernel[0] % groups == 0, picture[1] % groups == 0, kernel[1] == picture[1] / groups else {
      throw StyleModelError(
        .badInput,
        "conv with weights \(kernel) in \(counted(groups, "group")) does not fit \(picture[1]) channels")
    }
    if let bias { try requireVector(shape(bias), channels: kernel[0], "conv", "a bias") }
    let padded = try paddedExtents(
      picture, insets(picture: picture, kernel: kernel), paddingMode, "conv")
    let height = padded.height - dilation.vertical * (kernel[2] - 1)
    let width = padded.width - dilation.horizontal * (kernel[3] - 1)
    guard height > 0, width > 0 else {
      throw StyleModelError(
        .badInput,
        "conv of \(kernel[3])x\(kernel[2]) taps does not fit into \(padded.width)x\(padded.height) pixels",
        remedy: "use a larger picture")
    }
    return try pictureShape(
      channels: kernel[0], height: (height - 1) / stride.vertical + 1,
      width: (width - 1) / stride.horizontal + 1,
      "conv")
  }
}
