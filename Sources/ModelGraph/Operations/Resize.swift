public import Diagnostics
public import Tensors

/// A picture resampled to one size, whatever its own: between the four nearest pixels, edges clamped.
public struct Resize: OperationDefinition {
  /// Where the pixels of the result lie on those of the picture, along an axis of `n` pixels that becomes one of `m`.
  public enum Placement: String, Hashable, Sendable, CaseIterable {
    /// The first ones on each other: `i * n / m`.
    case start
    /// The first and the last ones on each other: `i * (n - 1) / (m - 1)`.
    case corners
    /// The edges of the outermost ones on each other: `(i + 0.5) * n / m - 0.5`.
    case centers

    /// The place of pixel `index` of `count`, in pixels of a picture that has `extent`.
    public func position(_ index: Int, of count: Int, on extent: Int) -> Double {
      let place = Double(index)
      let position =
        switch self {
        case .start: place * Double(extent) / Double(count)
        case .corners: count > 1 ? place * Double(extent - 1) / Double(count - 1) : 0
        case .centers: (place + 0.5) * Double(extent) / Double(count) - 0.5
        }
      return min(max(position, 0), Double(extent - 1))
    }
  }

  /// The picture, `[1, C, H, W]`.
  public var input: ValueID
  /// The height and width of the result.
  public var size: Pair
  /// Where its pixels lie.
  public var placement: Placement

  /// Creates a resampling.
  public init(input: ValueID, size: Pair, placement: Placement) {
    self.input = input
    self.size = size
    self.placement = placement
  }

  /// The largest height and width.
  private static let greatestSide = 1 << 16

  /// `resize`.
  public static let mnemonics = ["resize"]

  /// The operation as a call.
  public var call: OperationCall {
    OperationCall(
      "resize", operands: [.init(value: input)],
      attributes: [.init("size", .integers(size.list)), .init("placement", .word(placement.rawValue))])
  }

  /// Reads the operation back.
  public init(_ call: inout OperationCallReader) throws(StyleModelError) {
    input = try call.operand()
    let list = try call.integers("size", count: 2, in: 0...Resize.greatestSide, default: [0, 0])
    guard list[0] > 0, list[1] > 0 else { throw call.problem("lacks 'size:', a height and a width") }
    size = Pair(list[0], list[1])
    placement = try call.word("placement")
  }

  /// Replaces the value used.
  public mutating func mapOperands(_ replacement: (ValueID) -> ValueID) { input = replacement(input) }

  /// `[1, C, H', W']` for the size that is said.
  public func resultShape(_ shape: (ValueID) -> Shape) throws(StyleModelError) -> Shape {
    let picture = shape(input)
    try requirePicture(picture, "resize")
    return try pictureShape(channels: picture[1], height: size.vertical, width: size.horizontal, "resize")
  }
}
