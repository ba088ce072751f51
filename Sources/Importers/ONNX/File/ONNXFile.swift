import Tensors

/// An ONNX model as its file has it, before anything is made of it.
struct ONNXFile {
  /// An input or an output of the graph.
  struct ValueInfo: Hashable {
    let name: String
    /// The standard's number of the element type, or nil where the file does not say.
    let elementType: Int?
    /// The extents, or nil where the file does not say even how many; an extent that varies is nil.
    let extents: [Int?]?
  }

  /// A version of the file format itself.
  let irVersion: Int
  /// What wrote the file: `pytorch 2.2.0`.
  let producer: String
  /// The version of the standard's operators; 1 where the file has none.
  let operatorSet: Int
  /// What the file says of itself, in its own keys.
  let metadata: [String: String]
  let inputs: [ValueInfo]
  let outputs: [ValueInfo]
  /// Named tensors.
  let initializers: [ONNXTensor]
  /// The calls, each using only what stands before it.
  let nodes: [ONNXNode]
}

/// One call of an operator.
struct ONNXNode {
  /// The name of the operator.
  let operation: String
  /// The domain of the operator; empty for the standard's own.
  let domain: String
  /// The name of the node, which may be empty.
  let name: String
  /// The values used; an empty name is an input left out.
  let inputs: [String]
  /// The values made.
  let outputs: [String]
  /// The settings.
  let attributes: [String: ONNXAttribute]

  /// For messages: `Resize '/deconv1/Resize'`, or with the name of what it makes.
  var label: String { "\(operation) '\(name.isEmpty ? outputs.first ?? "" : name)'" }
}

/// A setting of a node.
enum ONNXAttribute {
  case number(Float)
  case integer(Int)
  case text(String)
  case tensor(ONNXTensor)
  case numbers([Float])
  case integers([Int])
  case texts([String])
  /// One that is not read, by the standard's number of its type: a graph, for example.
  case other(Int)
}

/// A tensor of the file.
struct ONNXTensor {
  let name: String
  let tensor: StoredTensor
  /// The width of the integers, where they are narrower than their element type.
  let integerBits: Int?
}
