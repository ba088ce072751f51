/// The extents of a tensor, outermost first: `[C_out, C_in / groups, kH, kW]` for a convolution's weights,
/// `[1, C, H, W]` for what flows between operations. No extents at all is a scalar.
public struct Shape: Hashable, Sendable, CustomStringConvertible, ExpressibleByArrayLiteral {
  /// The extents, none of them negative.
  public let dimensions: [Int]
  /// The number of elements: the product of the extents, 1 for a scalar.
  public let count: Int

  /// Creates a shape, or nil if an extent is negative or the number of elements does not fit an `Int`.
  public init?(checking dimensions: [Int]) {
    var count = 1
    var isEmpty = false
    for dimension in dimensions {
      guard dimension >= 0 else { return nil }
      if dimension == 0 { isEmpty = true }
      let (product, overflow) = count.multipliedReportingOverflow(by: max(dimension, 1))
      guard !overflow else { return nil }
      count = product
    }
    self.dimensions = dimensions
    self.count = isEmpty ? 0 : count
  }

  /// Creates a shape from extents known to be sound.
  /// - Precondition: no extent is negative and their product fits an `Int`.
  public init(_ dimensions: [Int]) {
    guard let shape = Shape(checking: dimensions) else { preconditionFailure("bad shape \(dimensions)") }
    self = shape
  }

  /// Creates a shape from a literal such as `[32, 3, 9, 9]`.
  public init(arrayLiteral dimensions: Int...) { self.init(dimensions) }

  /// The number of extents.
  public var rank: Int { dimensions.count }

  /// The extent at `axis`.
  public subscript(axis: Int) -> Int { dimensions[axis] }

  /// The extents in brackets: `[32, 3, 9, 9]`.
  public var description: String { "[" + dimensions.map(String.init).joined(separator: ", ") + "]" }
}
