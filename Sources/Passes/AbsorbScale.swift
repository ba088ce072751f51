import Diagnostics
import ModelGraph
import Tensors

/// Removes a scale and a shift of all channels alike before a live norm, which normalises them away.
///
/// Given:
///
///     %a = linear(%x, scale: -4.0, bias: 7.0)
///     %b = instance_norm(%a, gamma: @"g", beta: @"h", epsilon: 1.6e-04)
///
/// Result:
///
///     %b = instance_norm(%x, gamma: @"g", beta: @"h", epsilon: 1e-05)
///
/// with `epsilon / scale²` for epsilon, as the variance is larger by scale² where the scale has been, and `-g` in
/// the place of `g` where the scale is negative. A conditional norm's table is negated as a whole.
struct AbsorbScale: GraphPass {
  static let name = "absorb-scale"

  func apply(_ graph: inout Graph) throws(StyleModelError) -> [PassNote] {
    let connections = Connections(graph)
    let shapes = try graph.shapes(for: graph.sampleSize)
    var notes: [PassNote] = []
    for place in graph.nodes.indices {
      guard var norm = LiveNorm(graph.nodes[place].operation), let channels = shapes[norm.input]?[1],
        let gamma = norm.factors(in: graph, channels: channels)
      else { continue }
      let label = graph.label(of: graph.nodes[place])
      var isNegative = false
      while let (input, scale) = scaled(norm.input, in: graph, connections) {
        guard connections.isUsedOnce(norm.input) else {
          notes.append(.usedElsewhere(label))
          break
        }
        let epsilon = Float(Double(norm.epsilon) / (Double(scale) * Double(scale)))
        guard epsilon.isNormal else {
          notes.append(.outOfRange(label))
          break
        }
        norm.input = input
        norm.epsilon = epsilon
        if scale < 0 { isNegative.toggle() }
        notes.append(.absorbed(label))
      }
      if isNegative {
        let negated = StoredTensor(shape: gamma.shape, floats: gamma.floats().map { -$0 })
        norm.gamma =
          norm.gamma.map { graph.rewrite($0, as: negated, connections) }
          ?? graph.addSibling("gamma", of: label, negated)
      }
      graph.nodes[place].operation = norm.operation
    }
    graph.removeUnused()
    return notes
  }

  /// What `value` was before it was scaled by a factor other than zero, and the factor.
  private func scaled(
    _ value: ValueID, in graph: Graph, _ connections: Connections
  ) -> (input: ValueID, scale: Float)? {
    guard let place = connections.producer(of: value),
      case .activation(let activation) = graph.nodes[place].operation,
      case .linear(let scale, bias: _) = activation.function, scale != 0
    else { return nil }
    return (activation.input, scale)
  }
}

extension PassNote {
  fileprivate static func absorbed(_ subject: String) -> PassNote {
    PassNote(
      pass: AbsorbScale.name, .done, subject: subject,
      "scale before it removed: a live norm takes it out again, with its epsilon rescaled")
  }

  fileprivate static func usedElsewhere(_ subject: String) -> PassNote {
    PassNote(
      pass: AbsorbScale.name, .leftAlone, subject: subject,
      "scale before it stays: the scaled values are used elsewhere too")
  }

  fileprivate static func outOfRange(_ subject: String) -> PassNote {
    PassNote(
      pass: AbsorbScale.name, .leftAlone, subject: subject,
      "scale before it stays: the rescaled epsilon would leave the range of float32")
  }
}
