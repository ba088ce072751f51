import Diagnostics
import ModelGraph
import Tensors

/// What a quantizer has to know of a graph's tensors: which are convolutions' weights, where their output channels
/// lie, and which are to stay as they are.
struct WeightRoles {
  /// The axis of the output channels of each convolution's weight; `.some(nil)` where two uses disagree.
  private(set) var outputAxes: [ValueID: Int?] = [:]
  /// The tensors to leave alone.
  private(set) var kept: Set<ValueID> = []

  /// Looks through a graph.
  /// - Throws: `.usage` when a name in `keep` is neither a tensor's nor `first` or `last`.
  init(_ graph: Graph, keep: [String]) throws(StyleModelError) {
    var convolutions: [[ValueID]] = []
    for node in graph.nodes {
      switch node.operation {
      case .convolution(let it):
        note(it.weight, axis: 0)
        convolutions.append([it.weight] + (it.bias.map { [$0] } ?? []))
      case .transposedConvolution(let it):
        // [C_in, C_out / groups, kH, kW]: the groups share the scales of axis 1.
        note(it.weight, axis: 1)
        convolutions.append([it.weight] + (it.bias.map { [$0] } ?? []))
      case .pad, .instanceNorm, .conditionalInstanceNorm, .batchNorm, .activation, .binary, .upsample,
        .resize, .crop:
        break
      }
    }
    for name in keep {
      if let value = graph.constant(named: name) {
        kept.insert(value)
      } else if name == "first" || name == "last" {
        kept.formUnion((name == "first" ? convolutions.first : convolutions.last) ?? [])
      } else {
        let names = ["first", "last"] + graph.constantsInOrder.map(\.constant.name)
        let near = nearest(to: name, in: names)
        throw StyleModelError(
          .usage, "there is no tensor '\(name)' to keep",
          remedy: near.map { "did you mean '\($0)'?" } ?? "inspect --tensors lists the names")
      }
    }
  }

  private mutating func note(_ weight: ValueID, axis: Int) {
    if let known = outputAxes[weight], known != axis {
      outputAxes[weight] = .some(nil)
    } else {
      outputAxes[weight] = .some(axis)
    }
  }
}
