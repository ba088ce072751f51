import ModelGraph
import Tensors

/// How the weights of a convolution, plain or transposed, are seen as a matrix for each group: a row an output channel, a
/// column an input channel and tap.
public struct WeightRows: Hashable, Sendable {
  /// Whether the weights are `[C_in, C_out / groups, kH, kW]` and not `[C_out, C_in / groups, kH, kW]`.
  public let isTransposed: Bool
  /// The number of groups, each with a matrix of its own.
  public let groups: Int
  /// The rows of a group's matrix.
  public let rows: Int
  /// The input channels of a group.
  public let inputs: Int
  /// The taps of a kernel.
  public let taps: Int

  /// The columns of a group's matrix: the taps of an input channel stand side by side.
  public var columns: Int { inputs * taps }

  /// The number of scales that a tensor of this kind has: the extent of the axis of its output channels. The groups of a
  /// transposed convolution share theirs.
  public var channels: Int { isTransposed ? rows : groups * rows }

  /// The axis of the output channels.
  public var axis: Int { isTransposed ? 1 : 0 }

  /// Which of the scales a row has.
  public func channel(group: Int, row: Int) -> Int { isTransposed ? row : group * rows + row }

  /// Where a weight stands in the tensor.
  func index(group: Int, row: Int, column: Int) -> Int {
    guard isTransposed else { return (group * rows + row) * columns + column }
    let (input, tap) = column.quotientAndRemainder(dividingBy: taps)
    return ((group * inputs + input) * rows + row) * taps + tap
  }
}
