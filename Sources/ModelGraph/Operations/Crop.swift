public import Diagnostics
public import Tensors

/// Rows and columns cut off a picture.
public struct Crop: OperationDefinition {
  /// The picture, `[1, C, H, W]`.
  public var input: ValueID
  /// How much on each side.
  public var amounts: Insets

  /// Creates a crop.
  public init(input: ValueID, amounts: Insets) {
    self.input = input
    self.amounts = amounts
  }

  /// `crop`.
  public static let mnemonics = ["crop"]

  /// The operation as a call.
  public var call: OperationCall {
    OperationCall(
      "crop", operands: [.init(value: input)], attributes: [.init("amounts", .integers(amounts.list))])
  }

  /// Reads the operation back.
  public init(_ call: inout OperationCallReader) throws(StyleModelError) {
    input = try call.operand()
    amounts = try call.insets("amounts")
  }

  /// Replaces the value used.
  public mutating func mapOperands(_ replacement: (ValueID) -> ValueID) { input = replacement(input) }

  /// The picture's shape, shrunk; at least one pixel must be left.
  public func resultShape(_ shape: (ValueID) -> Shape) throws(StyleModelError) -> Shape {
    let picture = shape(input)
    try requirePicture(picture, "crop")
    return try pictureShape(
      channels: picture[1], height: picture[2] - amounts.vertical, width: picture[3] - amounts.horizontal,
      "crop")
  }
}
