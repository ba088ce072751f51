import ModelGraph
import Tensors

/// A norm by live statistics, plain or conditional: what passes may ask and change of either alike.
struct LiveNorm {
  /// The norm as it stands in the graph.
  private(set) var operation: Operation

  /// The norm that an operation is; nil for other operations.
  init?(_ operation: Operation) {
    switch operation {
    case .instanceNorm, .conditionalInstanceNorm: self.operation = operation
    default: return nil
    }
  }

  /// What is normalised.
  var input: ValueID {
    get { parts.input }
    set { write(input: newValue, gamma: parts.gamma, epsilon: parts.epsilon) }
  }

  /// The factors, `[C]`, or `[styles, C]` of a conditional norm; nil is 1.
  var gamma: ValueID? {
    get { parts.gamma }
    set { write(input: parts.input, gamma: newValue, epsilon: parts.epsilon) }
  }

  /// What keeps the root from zero.
  var epsilon: Float {
    get { parts.epsilon }
    set { write(input: parts.input, gamma: parts.gamma, epsilon: newValue) }
  }

  /// The factors as a tensor, ones where there is none; nil if they are computed.
  func factors(in graph: Graph, channels: Int) -> StoredTensor? {
    guard let gamma else {
      return StoredTensor(shape: [channels], floats: [Float](repeating: 1, count: channels))
    }
    return graph.tensor(gamma)
  }

  private var parts: (input: ValueID, gamma: ValueID?, epsilon: Float) {
    switch operation {
    case .instanceNorm(let norm): (norm.input, norm.gamma, norm.epsilon)
    case .conditionalInstanceNorm(let norm): (norm.input, norm.gamma, norm.epsilon)
    default: preconditionFailure("init takes norms alone")
    }
  }

  private mutating func write(input: ValueID, gamma: ValueID?, epsilon: Float) {
    switch operation {
    case .instanceNorm(var norm):
      (norm.input, norm.gamma, norm.epsilon) = (input, gamma, epsilon)
      operation = .instanceNorm(norm)
    case .conditionalInstanceNorm(var norm):
      (norm.input, norm.gamma, norm.epsilon) = (input, gamma ?? norm.gamma, epsilon)
      operation = .conditionalInstanceNorm(norm)
    default: preconditionFailure("init takes norms alone")
    }
  }
}
