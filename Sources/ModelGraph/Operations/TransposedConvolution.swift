public import Diagnostics
public import Tensors

/// A transposed convolution: every input pixel adds its kernel to the output, `stride` apart; then `padding` is
/// cropped off.
public struct TransposedConvolution: OperationDefinition {
  /// The picture, `[1, C_in, H, W]`.
  public var input: ValueID
  /// The kernels, `[C_in, C_out / groups, kH, kW]`: the output channels are axis 1.
  public var weight: ValueID
  /// What is added to each output channel, `[C_out]`; nil adds nothing.
  public var bias: ValueID?
  /// The distance in the output between the kernels of neighbouring input pixels.
  public var stride: Pair
  /// What is cropped off each side of the result.
  public var padding: Insets
  /// Rows and columns added at the bottom and the right: they hold what the kernels reach there, and the bias.
  public var outputPadding: Pair
  /// The distance between taps.
  public var dilation: Pair
  /// The number of groups that channels are split into.
  public var groups: Int

  /// Creates a transposed convolution.
  public init(
    input: ValueID, weight: ValueID, bias: ValueID? = nil, stride: Pair = .one, padding: Insets = .zero,
    outputPadding: Pair = .zero, dilation: Pair = .one, groups: Int = 1
  ) {
    self.input = input
    self.weight = weight
    self.bias = bias
    self.stride = stride
    self.padding = padding
    self.outputPadding = outputPadding
    self.dilation = dilation
    self.groups = groups
  }

  /// `conv_transpose`.
  public static let mnemonics = ["conv_transpose"]

  /// The operation as a call.
  public var call: OperationCall {
    OperationCall(
      "conv_transpose",
      operands: [.init(value: input), .init(role: "weight", value: weight)]
        + (bias.map { [.init(role: "bias", value: $0)] } ?? []),
      attributes: [
        .integers("stride", stride.list, default: [1, 1]),
        .integers("padding", padding.list, default: [0, 0, 0, 0]),
        .integers("output_padding", outputPadding.list, default: [0, 0]),
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
    outputPadding = try call.pair("output_padding", from: 0, default: .zero)
    dilation = try call.pair("dilation", from: 1, default: .one)
    groups = try call.integers("groups", count: 1, in: 1...(1 << 20), default: [1])[0]
  }

  /// Replaces every value used.
  public mutating func mapOperands(_ replacement: (ValueID) -> ValueID) {
    input = replacement(input)
    weight = replacement(weight)
    bias = bias.map(replacement)
  }

  /// `[1, C_out, H', W']` with `H' = (H - 1) * stride - padding + dilation * (kH - 1) + output_padding + 1`.
  public func resultShape(_ shape: (ValueID) -> Shape) throws(StyleModelError) -> Shape {
    let picture = shape(input)
    let kernel = shape(weight)
    try requirePicture(picture, "conv_transpose")
    guard kernel.rank == 4, kernel.dimensions.allSatisfy({ $0 > 0 }),
      max(kernel[2], kernel[3]) <= greatestExtent
    else {
      throw StyleModelError(.badInput, "conv_transpose wants weights [C_in, C_out, kH, kW], not \(kernel)")
    }
    guard kernel[0] == picture[1], picture[1] % groups == 0 else {
      throw StyleModelError(
        .badInput,
        "conv_transpose with weights \(kernel) in \(counted(groups, "group")) does not fit \(picture[1]) channels"
      )
    }
    let (channels, overflow) = kernel[1].multipliedReportingOverflow(by: groups)
    guard !overflow else { throw StyleModelError(.badInput, "conv_transpose has too many channels") }
    if let bias { try requireVector(shape(bias), channels: channels, "conv_transpose", "a bias") }
    func extent(_ size: Int, _ stride: Int, _ padding: Int, _ dilation: Int, _ kernel: Int, _ extra: Int)
      -> Int
    {
      (size - 1) * stride - padding + dilation * (kernel - 1) + extra + 1
    }
    return try pictureShape(
      channels: channels,
      height: extent(
        picture[2], stride.vertical, padding.vertical, dilation.vertical, kernel[2], outputPadding.vertical),
      width: extent(
        picture[3], stride.horizontal, padding.horizontal, dilation.horizontal, kernel[3],
        outputPadding.horizontal),
      "conv_transpose")
  }
}
