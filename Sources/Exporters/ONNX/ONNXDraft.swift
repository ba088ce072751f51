import Diagnostics
import ProtobufSupport

/// An ONNX file being put together: nodes and tensors in the order in which they are written, under names that are each
/// given once.
struct ONNXDraft {
  /// A tensor of the file.
  struct Tensor {
    var name: String
    var type: ElementNumber
    var extents: [Int]
    var bytes: [UInt8]
  }

  /// The standard's numbers of element types.
  enum ElementNumber: Int {
    case float32 = 1
    case uint8, int8
    case int64 = 7
    case float16 = 10
    case float64
    case bfloat16 = 16
    case uint4 = 21
    case int4
  }

  /// A setting of a node.
  enum Attribute {
    case integer(Int)
    case number(Float)
    case text(String)
    case integers([Int])
  }

  /// One call of an operator.
  struct Node {
    var name: String
    var operation: String
    var inputs: [String]
    var output: String
    var attributes: [(name: String, value: Attribute)]
  }

  private(set) var nodes: [Node] = []
  private(set) var tensors: [Tensor] = []
  /// The least version of the standard's operators that says everything so far.
  private(set) var operatorSet = 17
  private var names: Set<String> = []

  /// A name that is not in use: `wanted`, or that with a number.
  mutating func freeName(_ wanted: String) -> String {
    var candidate = wanted
    var number = 2
    while candidate.isEmpty || !names.insert(candidate).inserted {
      candidate = "\(wanted.isEmpty ? "unnamed" : wanted)_\(number)"
      number += 1
    }
    return candidate
  }

  /// Asks for a newer version of the operators.
  mutating func requireOperatorSet(_ version: Int) { operatorSet = max(operatorSet, version) }

  /// Adds a node, which is named as what it makes.
  /// - Parameter output: a name from `freeName`.
  /// - Returns: `output`.
  @discardableResult
  mutating func add(
    _ operation: String, _ inputs: [String], output: String,
    _ attributes: [(name: String, value: Attribute)] = []
  ) -> String {
    nodes.append(
      Node(name: output, operation: operation, inputs: inputs, output: output, attributes: attributes))
    return output
  }

  /// Gives what a node makes another name; the node keeps its own.
  mutating func rename(_ value: String, to name: String) {
    for index in nodes.indices {
      if nodes[index].output == value { nodes[index].output = name }
      nodes[index].inputs = nodes[index].inputs.map { $0 == value ? name : $0 }
    }
  }

  /// Adds a tensor.
  /// - Parameter name: from `freeName`.
  /// - Returns: `name`.
  @discardableResult
  mutating func add(_ name: String, _ type: ElementNumber, _ extents: [Int], _ bytes: [UInt8]) -> String {
    tensors.append(Tensor(name: name, type: type, extents: extents, bytes: bytes))
    return name
  }

  /// Adds floats under a free name.
  mutating func floats(_ name: String, _ extents: [Int], _ values: [Float]) -> String {
    add(
      freeName(name), .float32, extents,
      values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } })
  }

  /// Adds a list of integers under a free name.
  mutating func integers(_ name: String, _ values: [Int]) -> String {
    add(
      freeName(name), .int64, [values.count],
      values.flatMap { value in withUnsafeBytes(of: Int64(value).littleEndian) { Array($0) } })
  }
}
