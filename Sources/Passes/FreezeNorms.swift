public import Diagnostics
public import ModelGraph
import Tensors

/// Gives live norms statistics that were measured before, once and for all pictures; they are then affine maps that
/// `FoldBatchNorm` takes away. It is the one pass that changes what a network computes, and is run only on request.
///
/// Given statistics of `%a`:
///
///     %b = instance_norm(%a, gamma: @"g", beta: @"h", epsilon: 1e-05)
///
/// Result:
///
///     %b = batch_norm(%a, mean: @"mean", variance: @"variance", gamma: @"g", beta: @"h", epsilon: 1e-05)
public struct FreezeNorms: GraphPass {
  /// The name in notes and errors.
  public static let name = "freeze-norms"

  /// What was measured of a value, one number a channel.
  public struct Statistics: Hashable, Sendable {
    /// The means.
    public var means: [Double]
    /// The population variances.
    public var variances: [Double]

    /// Creates statistics.
    public init(means: [Double], variances: [Double]) {
      self.means = means
      self.variances = variances
    }
  }

  private let statistics: [ValueID: Statistics]

  /// Creates the pass for what was measured of the values that live norms normalise.
  public init(_ statistics: [ValueID: Statistics]) { self.statistics = statistics }

  /// Freezes every live norm that has statistics.
  public func apply(_ graph: inout Graph) throws(StyleModelError) -> [PassNote] {
    var notes: [PassNote] = []
    for place in graph.nodes.indices {
      guard case .instanceNorm(let norm) = graph.nodes[place].operation else { continue }
      let label = graph.label(of: graph.nodes[place])
      let measured = statistics[norm.input]
      let means = (measured?.means ?? []).map { Float($0) }
      let variances = (measured?.variances ?? []).map { Float($0) }
      guard !means.isEmpty, means.count == variances.count, (means + variances).allSatisfy(\.isFinite) else {
        notes.append(.notMeasured(label))
        continue
      }
      let shape = Shape([means.count])
      graph.nodes[place].operation = .batchNorm(
        BatchNorm(
          input: norm.input,
          mean: graph.addSibling("mean", of: label, StoredTensor(shape: shape, floats: means)),
          variance: graph.addSibling(
            "variance", of: label, StoredTensor(shape: shape, floats: variances)),
          gamma: norm.gamma, beta: norm.beta, epsilon: norm.epsilon))
      notes.append(.frozen(label))
    }
    return notes
  }
}

extension PassNote {
  fileprivate static func frozen(_ subject: String) -> PassNote {
    PassNote(
      pass: FreezeNorms.name, .done, subject: subject,
      "live statistics frozen to those measured over the calibration pictures")
  }

  fileprivate static func notMeasured(_ subject: String) -> PassNote {
    PassNote(
      pass: FreezeNorms.name, .leftAlone, subject: subject,
      "live statistics stay: none that are finite were measured of what it normalises")
  }
}
