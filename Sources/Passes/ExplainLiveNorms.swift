import Diagnostics
import ModelGraph

/// Says of each norm that takes its statistics from the picture that it stays, and why. The graph is not changed:
///
///     %b = instance_norm(%a, gamma: @"in1.weight", beta: @"in1.bias", epsilon: 1e-05)
///
/// is given the note `in1.weight: live statistics: taken from each picture, so it cannot be folded; …`.
struct ExplainLiveNorms: GraphPass {
  static let name = "explain-live-norms"

  func apply(_ graph: inout Graph) throws(StyleModelError) -> [PassNote] {
    let connections = Connections(graph)
    return graph.nodes.compactMap { node in
      let found: NormCase
      switch node.operation {
      case .instanceNorm(let norm):
        found = NormCase.live(after: connections.producer(of: norm.input).map { graph.nodes[$0].operation })
      case .conditionalInstanceNorm: found = .conditional
      default: return nil
      }
      let (kind, text) = found.outcome
      return PassNote(pass: Self.name, kind, subject: graph.label(of: node), text)
    }
  }
}
