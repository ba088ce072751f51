public import Diagnostics
public import Tensors

/// A picture enlarged by whole factors.
public struct Upsample: OperationDefinition {
  /// How pixels between the old ones are made.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Each pixel repeated.
    case nearest
    /// Between the four nearest, pixel centres at half-integers, edges clamped.
    case bilinear
  }

  /// The picture, `[1, C, H, W]`.
  public var input: ValueID
  /// The factors.
  public var factor: Pair
  /// How the pixels are made.
  public var mode: Mode

  /// Creates an enlargement.
  public init(input: ValueID, factor: Pair, mode: Mode = .nearest) {
    self.input = input
    self.factor = factor
    self.mode = mode
  }

  /// `upsample`.
  public static let mnemonics = ["upsample"]

  /// The operation as a call.
  public var call: OperationCall {
    OperationCall(
      "upsample", operands: [.init(value: input)],
      attributes: [.init("factor", .integers(factor.list)), .init("mode", .word(mode.rawValue))])
  }

  /// Reads the operation back.
  public init(_ call: inout OperationCallReader) throws(StyleModelError) {
    input = try call.operand()
    factor = try call.pair("factor", from: 1, default: .one)
    mode = try call.word("mode")
  }

  /// Replaces the value used.
  public mutating func mapOperands(_ replacement: (ValueID) -> ValueID) { input = replacement(input) }

  /// The picture's shape, its height and width multiplied.
  public func resultShape(_ shape: (ValueID) -> Shape) throws(StyleModelError) -> Shape {
    let picture = shape(input)
    try requirePicture(picture, "upsample")
    let (height, tall) = picture[2].multipliedReportingOverflow(by: factor.vertical)
    let (width, wide) = picture[3].multipliedReportingOverflow(by: factor.horizontal)
    guard !tall, !wide else { throw StyleModelError(.badInput, "upsample makes too large a picture") }
    return try pictureShape(channels: picture[1], height: height, width: width, "upsample")
  }
}
