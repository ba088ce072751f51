public import Diagnostics
public import Tensors

/// Rows and columns put around a picture.
public struct Pad: OperationDefinition {
  /// The picture, `[1, C, H, W]`.
  public var input: ValueID
  /// How much on each side.
  public var amounts: Insets
  /// What they hold.
  public var mode: PaddingMode

  /// Creates a padding.
  public init(input: ValueID, amounts: Insets, mode: PaddingMode) {
    self.input = input
    self.amounts = amounts
    self.mode = mode
  }

  /// `pad`.
  public static let mnemonics = ["pad"]

  /// The operation as a call.
  public var call: OperationCall {
    OperationCall(
      "pad", operands: [.init(value: input)],
      attributes: [.init("amounts", .integers(amounts.list)), .init("mode", .word(mode.rawValue))])
  }

  /// Reads the operation back.
  public init(_ call: inout OperationCallReader) throws(StyleModelError) {
    input = try call.operand()
    amounts = try call.insets("amounts")
    mode = try call.word("mode")
  }

  /// Replaces the value used.
  public mutating func mapOperands(_ replacement: (ValueID) -> ValueID) { input = replacement(input) }

  /// The picture's shape, grown; a reflection must be smaller than the picture.
  public func resultShape(_ shape: (ValueID) -> Shape) throws(StyleModelError) -> Shape {
    let picture = shape(input)
    try requirePicture(picture, "pad")
    let padded = try paddedExtents(picture, amounts, mode, "pad")
    return try pictureShape(channels: picture[1], height: padded.height, width: padded.width, "pad")
  }
}
