import Diagnostics
import Tensors

/// A vertical and a horizontal count: strides, dilations, factors.
public struct Pair: Hashable, Sendable {
  /// Along the height.
  public var vertical: Int
  /// Along the width.
  public var horizontal: Int

  /// Creates a pair.
  public init(_ vertical: Int, _ horizontal: Int) {
    self.vertical = vertical
    self.horizontal = horizontal
  }

  /// One and one.
  public static let one = Pair(1, 1)
  /// Zero and zero.
  public static let zero = Pair(0, 0)

  var list: [Int] { [vertical, horizontal] }
}

/// How many rows and columns lie on each side of a picture.
public struct Insets: Hashable, Sendable {
  /// Rows above.
  public var top: Int
  /// Columns to the left.
  public var left: Int
  /// Rows below.
  public var bottom: Int
  /// Columns to the right.
  public var right: Int

  /// Creates insets.
  public init(top: Int, left: Int, bottom: Int, right: Int) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// The same on all sides.
  public init(all amount: Int) { self.init(top: amount, left: amount, bottom: amount, right: amount) }

  /// None at all.
  public static let zero = Insets(all: 0)

  /// Rows above and below together.
  public var vertical: Int { top + bottom }
  /// Columns left and right together.
  public var horizontal: Int { left + right }

  var list: [Int] { [top, left, bottom, right] }
}

/// What stands outside a picture where an operation reads over its edge.
public enum PaddingMode: String, Hashable, Sendable, CaseIterable {
  /// Zeros.
  case zero
  /// The picture mirrored at its edge pixels, which are not repeated.
  case reflect
  /// The edge pixels repeated.
  case replicate
}

/// The greatest stride, padding, kernel or factor that is accepted from a file: far beyond real networks, and
/// small enough that no size computed from it overflows.
let greatestExtent = 4096

extension OperationCallReader {
  mutating func pair(_ name: String, from lowest: Int, default standard: Pair) throws(StyleModelError) -> Pair
  {
    let list = try integers(name, count: 2, in: lowest...greatestExtent, default: standard.list)
    return Pair(list[0], list[1])
  }

  mutating func insets(_ name: String) throws(StyleModelError) -> Insets {
    let list = try integers(name, count: 4, in: 0...greatestExtent, default: Insets.zero.list)
    return Insets(top: list[0], left: list[1], bottom: list[2], right: list[3])
  }
}

/// Checks that `shape` is one picture of at least one pixel, `[1, C, H, W]`.
func requirePicture(_ shape: Shape, _ mnemonic: String) throws(StyleModelError) {
  guard shape.rank == 4, shape[0] == 1, shape.dimensions.allSatisfy({ $0 > 0 }) else {
    throw StyleModelError(.badInput, "\(mnemonic) works on [1, C, H, W], not on \(shape)")
  }
}

/// Checks that a vector has one element a channel.
func requireVector(_ shape: Shape, channels: Int, _ mnemonic: String, _ role: String) throws(StyleModelError)
{
  guard shape == Shape([channels]) else {
    throw StyleModelError(
      .badInput, "\(mnemonic) over \(channels) channels wants \(role) of shape [\(channels)], not \(shape)")
  }
}

/// The greatest height or width that shapes are computed for, so that one more operation cannot overflow.
private let greatestSide = 1 << 30

/// A picture's shape with other extents, checked for overflow.
func pictureShape(channels: Int, height: Int, width: Int, _ mnemonic: String) throws(StyleModelError) -> Shape
{
  guard max(height, width) <= greatestSide else {
    throw StyleModelError(
      .badInput, "\(mnemonic) makes \(width)x\(height) pixels, more than can be handled",
      remedy: "use a smaller picture")
  }
  guard height > 0, width > 0, let shape = Shape(checking: [1, channels, height, width]) else {
    throw StyleModelError(
      .badInput, "\(mnemonic) leaves \(width)x\(height) pixels", remedy: "use a larger picture")
  }
  return shape
}

/// The extents after reading over the edges, checked against what the mode can do.
func paddedExtents(
  _ shape: Shape, _ insets: Insets, _ mode: PaddingMode, _ mnemonic: String
) throws(StyleModelError) -> (height: Int, width: Int) {
  if mode == .reflect,
    max(insets.top, insets.bottom) >= shape[2] || max(insets.left, insets.right) >= shape[3]
  {
    let amount = [insets.top, insets.left, insets.bottom, insets.right].max() ?? 0
    throw StyleModelError(
      .badInput, "\(mnemonic) reflects \(amount) pixels at the edge of a map of only \(shape[3])x\(shape[2])",
      remedy: "use a larger picture")
  }
  return (shape[2] + insets.vertical, shape[3] + insets.horizontal)
}
