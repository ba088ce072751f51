public import Diagnostics
public import ModelGraph
import Tensors

/// Folds one style, or one blend of styles, into gamma and beta of every conditional norm; the tables go.
///
/// Given `styles(input: "index", count: 3)` and the weights `w` of a style vector:
///
///     %b = conditional_instance_norm(%a, gamma: @"g", beta: @"h", epsilon: 1e-05)
///
/// Result, of one style:
///
///     %b = instance_norm(%a, gamma: @"g", beta: @"h", epsilon: 1e-05)
///
/// with `Σ w[s] * g[s, :]` in the place of `g` and likewise for `h`, summed in double precision and rounded to float
/// once. A table that several norms use gives each its own rows, named `g.folded`.
public struct ChooseStyle: GraphPass {
  /// The name in notes and errors.
  public static let name = "choose-style"

  private let blend: StyleBlend

  /// Creates the pass for a choice.
  public init(_ blend: StyleBlend) { self.blend = blend }

  /// Folds the choice.
  /// - Throws: `.usage` when the network has no such style, or only one.
  public func apply(_ graph: inout Graph) throws(StyleModelError) -> [PassNote] {
    guard let styles = graph.styles else {
      throw StyleModelError(
        .usage, "is of one style, so there is none to choose", remedy: "leave out \(blend.arguments[0])")
    }
    let weights = try blend.weights(in: styles).map(Double.init)
    let chosen = try blend.resolved(in: styles)
    let connections = Connections(graph)
    var notes: [PassNote] = []
    for place in graph.nodes.indices {
      guard case .conditionalInstanceNorm(let norm) = graph.nodes[place].operation,
        let gamma = graph.tensor(norm.gamma), let beta = graph.tensor(norm.beta)
      else { continue }
      let label = graph.label(of: graph.nodes[place])
      let factors = try mixed(gamma, weights, label)
      let summands = try mixed(beta, weights, label)
      graph.nodes[place].operation = .instanceNorm(
        InstanceNorm(
          input: norm.input, gamma: graph.rewrite(norm.gamma, as: factors, connections),
          beta: graph.rewrite(norm.beta, as: summands, connections), epsilon: norm.epsilon))
      notes.append(
        PassNote(
          pass: Self.name, .done, subject: label, "\(chosen) of \(styles.count) folded into gamma and beta"))
    }
    graph.styles = nil
    graph.removeUnused()
    return notes
  }

  private func mixed(_ table: StoredTensor, _ weights: [Double], _ label: String) throws(StyleModelError)
    -> StoredTensor
  {
    let channels = table.shape[1]
    let rows = table.floats()
    var sums = [Double](repeating: 0, count: channels)
    // A style of no weight adds nothing, whatever its row holds.
    for (style, weight) in weights.enumerated() where weight != 0 {
      for channel in 0..<channels { sums[channel] += weight * Double(rows[style * channels + channel]) }
    }
    let floats = sums.map { Float($0) }
    guard floats.allSatisfy(\.isFinite) else {
      throw StyleModelError(
        .badInput, place: label, "has no finite gamma and beta for this \(blend)",
        remedy: "choose other weights")
    }
    return StoredTensor(shape: [channels], floats: floats)
  }
}

extension Graph {
  /// The network of one style, or of one blend of styles, and what was done for it.
  /// - Throws: `.usage` when it has no such style, or only one.
  public func choosing(_ blend: StyleBlend) throws(StyleModelError) -> (graph: Graph, notes: [PassNote]) {
    try optimized(self, by: [ChooseStyle(blend)])
  }
}
