import CKernels
public import Diagnostics
public import ModelGraph
public import Tensors

/// The weights of a convolution as integers: each is `integer * scale + offset` of its channel.
public struct RoundedTensor: Sendable {
  /// The weights.
  public let weight: ValueID
  /// Their name in the graph.
  public let name: String
  /// The tensor's shape.
  public let shape: Shape
  /// How they are seen as matrices.
  public let layout: WeightRows
  /// The integers, in the tensor's own order.
  public var integers: [Int32]
  /// One scale a channel of `layout.axis`.
  public var scales: [Float]
  /// One offset a channel, or none where all are zero.
  public var offsets: [Float]
  /// Whether the integers of each column follow the states of dependent rounding (`DependentStates`).
  public var isDependent: Bool
  /// For each group its rows in the order in which they were rounded: the one in which the states follow one another.
  public var rowOrders: [[Int]]
  /// The mean squared change of a sample of the picture that is expected of this tensor, in squared pixel units.
  public var expectedLoss: Double

  /// The weights, in the tensor's own order.
  public var floats: [Float] {
    var result = [Float](repeating: 0, count: integers.count)
    for group in 0..<layout.groups {
      for row in 0..<layout.rows {
        let channel = layout.channel(group: group, row: row)
        for column in 0..<layout.columns {
          let index = layout.index(group: group, row: row, column: column)
          let product = Float(integers[index]) * scales[channel]
          result[index] = offsets.isEmpty ? product : product + offsets[channel]
        }
      }
    }
    return result
  }
}

extension RoundedTensor {
  /// The weights as they are stored, in the fewest bits that hold every integer; nil where that is more than 16.
  public func stored() throws(StyleModelError) -> StoredTensor? {
    let greatest = Int(integers.map(\.magnitude).max() ?? 0)
    let bits = max(AffineEncoding.widths.lowerBound, Int.bitWidth - greatest.leadingZeroBitCount + 1)
    guard AffineEncoding.widths.contains(bits) else { return nil }
    return try StoredTensor(
      shape: shape,
      encoding: .affine(
        AffineEncoding(bits: bits, isSigned: true, axis: layout.axis, scales: scales, offsets: offsets)),
      bytes: packIntegers(integers.map { Int16($0) }, bits: bits))
  }

  /// The root mean square of the integers: how many steps a usual weight is away from zero.
  public var stepsPerWeight: Double {
    let sum = integers.reduce(0) { $0 + Double($1) * Double($1) }
    return (sum / Double(max(integers.count, 1))).squareRoot()
  }
}

/// The states that the integers of a column go through in dependent rounding.
///
/// A column begins in state 0. In an even state an integer is even: `2 * index`; in an odd one it is odd or zero:
/// `2 * index - sign(index)`. The index's lowest bit says which state the next row is in.
public struct DependentStates: Sendable {
  /// The number of states.
  public static let count = Int(CK_ROUNDING_STATES)

  /// The current state.
  public private(set) var state = 0

  /// Begins a column.
  public init() {}

  /// The index of the next row's integer, or nil where the state has no such integer.
  public mutating func index(of integer: Int32) -> Int32? {
    let isOdd = state & 1 == 1
    guard integer == 0 || (integer & 1 == 1) == isOdd else { return nil }
    let index = isOdd ? (integer + integer.signum()) / 2 : integer / 2
    advance(index)
    return index
  }

  /// The next row's integer for an index.
  public mutating func integer(at index: Int32) -> Int32 {
    let integer = state & 1 == 1 ? 2 * index - index.signum() : 2 * index
    advance(index)
    return integer
  }

  private mutating func advance(_ index: Int32) {
    state = Int(ck_next_rounding_state(UInt32(state), index))
  }
}
