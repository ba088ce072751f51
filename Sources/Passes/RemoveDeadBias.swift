import Diagnostics
import ModelGraph
import Tensors

/// Removes the bias of a convolution whose result goes into a live norm and nowhere else: the norm subtracts each
/// channel's mean, and the bias with it.
///
/// Given:
///
///     %a = conv(%x, weight: @"w", bias: @"b")
///     %b = instance_norm(%a, gamma: @"g", beta: @"h", epsilon: 1e-05)
///
/// Result:
///
///     %a = conv(%x, weight: @"w")
///     %b = instance_norm(%a, gamma: @"g", beta: @"h", epsilon: 1e-05)
///
/// The same holds for transposed convolutions and for conditional norms. In floats it is even a gain: no bias, no digits lost to it.
struct RemoveDeadBias: GraphPass {
  static let name = "remove-dead-bias"

  func apply(_ graph: inout Graph) throws(StyleModelError) -> [PassNote] {
    let connections = Connections(graph)
    var notes: [PassNote] = []
    for node in graph.nodes {
      guard let norm = LiveNorm(node.operation), let place = connections.producer(of: norm.input),
        let bias = graph.nodes[place].operation.bias
      else { continue }
      let subject = graph.label(of: graph.nodes[place])
      if !connections.isUsedOnce(norm.input) {
        notes.append(.usedElsewhere(subject))
      } else if graph.tensor(bias)?.floats().allSatisfy(\.isFinite) != true {
        notes.append(.notFinite(subject))
      } else {
        graph.nodes[place].operation.bias = nil
        notes.append(.removed(subject))
      }
    }
    graph.removeUnused()
    return notes
  }
}

extension Operation {
  /// What a convolution, plain or transposed, adds to each channel; nil for other operations and stays so.
  var bias: ValueID? {
    get {
      switch self {
      case .convolution(let convolution): convolution.bias
      case .transposedConvolution(let convolution): convolution.bias
      default: nil
      }
    }
    set {
      switch self {
      case .convolution(var convolution):
        convolution.bias = newValue
        self = .convolution(convolution)
      case .transposedConvolution(var convolution):
        convolution.bias = newValue
        self = .transposedConvolution(convolution)
      default: break
      }
    }
  }
}

extension PassNote {
  fileprivate static func removed(_ subject: String) -> PassNote {
    PassNote(
      pass: RemoveDeadBias.name, .done, subject: subject,
      "bias removed: the live norm after it subtracts it with the mean")
  }

  fileprivate static func usedElsewhere(_ subject: String) -> PassNote {
    PassNote(
      pass: RemoveDeadBias.name, .leftAlone, subject: subject,
      "bias stays: a live norm subtracts it, but the convolution's result is used elsewhere too")
  }

  fileprivate static func notFinite(_ subject: String) -> PassNote {
    PassNote(
      pass: RemoveDeadBias.name, .leftAlone, subject: subject,
      "bias stays: it is not finite, and what it spoils must show")
  }
}
