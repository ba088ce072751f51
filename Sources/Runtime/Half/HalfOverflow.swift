import CKernels
import Diagnostics
import ModelGraph
import Synchronization
import Tensors

/// The first thing in a network that half precision could not hold.
public struct HalfOverflow: Hashable, Sendable {
  /// What became infinite.
  public enum What: String, Hashable, Sendable {
    /// The picture, as the pixel contract has scaled it.
    case picture
    /// Weights.
    case weight
    /// What an operation has computed.
    case result
    /// Sums behind an instance norm.
    case sum
    /// Sums of squares behind an instance norm.
    case sumOfSquares = "sum of squares"
  }

  /// The layer, by the name of its weight; an operation without one by that of the layer before it.
  public var layer: String
  /// What overflowed there.
  public var what: What
  /// How many numbers did.
  public var count: Int

  /// The overflow in a sentence: `half precision overflows first in conv1.weight: 12 results beyond 65504`.
  public var text: String {
    let noun =
      switch what {
      case .picture: counted(count, "sample")
      case .weight, .result, .sum: counted(count, what.rawValue)
      case .sumOfSquares: counted(count, what.rawValue, "sums of squares")
      }
    return "half precision overflows first in \(layer): \(noun) beyond 65504"
  }
}

/// One place of a plan where numbers are rounded to half precision.
final class HalfRounding: Sendable {
  let layer: String
  let what: HalfOverflow.What
  let channels: Int
  private let overflows = Atomic(0)

  init(layer: String, what: HalfOverflow.What, channels: Int) {
    self.layer = layer
    self.what = what
    self.channels = channels
  }

  /// Rounds pixels in place.
  func round(_ numbers: UnsafeMutablePointer<Float>, pixels: Int, pixelStride: Int) {
    count(ck_round_to_half(numbers, pixels, pixelStride, channels))
  }

  /// Notes overflows that were found elsewhere.
  func count(_ added: Int) {
    if added > 0 { overflows.wrappingAdd(added, ordering: .relaxed) }
  }

  /// What has overflowed since the last call.
  func takeOverflow() -> HalfOverflow? {
    let count = overflows.exchange(0, ordering: .relaxed)
    return count == 0 ? nil : HalfOverflow(layer: layer, what: what, count: count)
  }
}

extension Machine {
  /// Rounds the network's input in place.
  func roundInputToHalf() -> HalfOverflow? {
    let layout = plan.layout(plan.input)
    let count = ck_round_to_half(pointer(plan.input), layout.pixels, layout.pixelStride, layout.channels)
    return count == 0 ? nil : HalfOverflow(layer: "the picture", what: .picture, count: count)
  }

  /// The first operation of the last run that overflowed.
  func firstOverflow() -> HalfOverflow? {
    let overflows = plan.roundings.compactMap { $0.takeOverflow() }
    return overflows.first
  }
}

extension Graph {
  /// The graph with every weight rounded to half precision, and the first one that overflows.
  func roundedToHalf() throws(StyleModelError) -> (graph: Graph, overflow: HalfOverflow?) {
    var graph = self
    var overflow: HalfOverflow?
    for (value, constant) in constantsInOrder {
      var floats = constant.tensor.floats()
      let count = ck_round_to_half(&floats, floats.count, 1, 1)
      if count > 0, overflow == nil {
        overflow = HalfOverflow(layer: constant.name, what: .weight, count: count)
      }
      graph.setTensor(StoredTensor(shape: constant.tensor.shape, floats: floats), of: value)
    }
    return (graph, overflow)
  }

  /// The name that users know the layer by which computes a value: that of its first weight, or `relu after` and the
  /// layer before it.
  func layerName(of value: ValueID) -> String {
    guard let node = nodes.first(where: { $0.result == value }) else { return input.name }
    let operands = node.operation.operands
    if let name = operands.compactMap({ constants[$0]?.name }).first { return name }
    var before = operands.first
    while let operand = before, let previous = nodes.first(where: { $0.result == operand }) {
      let operands = previous.operation.operands
      if let name = operands.compactMap({ constants[$0]?.name }).first {
        return "\(node.operation.mnemonic) after \(name)"
      }
      before = operands.first
    }
    return "\(node.operation.mnemonic) after \(input.name)"
  }
}
