import Diagnostics
import ModelGraph
import ONNXImporter
import ProtobufSupport

/// An ONNX model written by hand, field by field, for one question each.
struct HandMadeModel {
  struct Tensor {
    var name = ""
    var extents: [Int] = []
    /// The standard's number of the element type.
    var type = 1
    var raw: [UInt8] = []
    var integers: [Int] = []
    var external: [(String, String)] = []

    static func floats(_ name: String, _ extents: [Int], _ values: [Float]) -> Tensor {
      Tensor(
        name: name, extents: extents,
        raw: values.flatMap { value in withUnsafeBytes(of: value) { Array($0) } })
    }

    static func integers(_ name: String, _ values: [Int]) -> Tensor {
      Tensor(name: name, extents: [values.count], type: 7, integers: values)
    }

    func write(to writer: inout ProtobufWriter) {
      for extent in extents { writer.number(1, extent) }
      writer.number(2, type)
      if !integers.isEmpty { writer.numbers(type == 7 ? 7 : 5, integers) }
      writer.text(8, name)
      if integers.isEmpty && external.isEmpty { writer.block(9, raw) }
      for (key, value) in external {
        writer.message(13) {
          $0.text(1, key)
          $0.text(2, value)
        }
      }
      if !external.isEmpty { writer.number(14, 1) }
    }
  }

  enum Attribute {
    case integer(Int)
    case number(Float)
    case text(String)
    case integers([Int])
    case numbers([Float])
    case tensor(Tensor)
  }

  struct Node {
    var operation: String
    var inputs: [String]
    var output: String
    var attributes: [(String, Attribute)]
    /// What it makes besides `output`.
    var moreOutputs: [String] = []

    init(_ operation: String, _ inputs: [String], _ output: String, _ attributes: (String, Attribute)...) {
      self.operation = operation
      self.inputs = inputs
      self.output = output
      self.attributes = attributes
    }

    func write(to writer: inout ProtobufWriter) {
      for input in inputs { writer.text(1, input) }
      for output in [output] + moreOutputs { writer.text(2, output) }
      writer.text(4, operation)
      for (name, attribute) in attributes {
        writer.message(5) { inner in
          inner.text(1, name)
          switch attribute {
          case .number(let value):
            inner.float(2, value)
            inner.number(20, 1)
          case .integer(let value):
            inner.number(3, value)
            inner.number(20, 2)
          case .text(let value):
            inner.text(4, value)
            inner.number(20, 3)
          case .tensor(let tensor):
            inner.message(5) { tensor.write(to: &$0) }
            inner.number(20, 4)
          case .numbers(let values):
            inner.floats(7, values)
            inner.number(20, 6)
          case .integers(let values):
            for value in values { inner.number(8, value) }
            inner.number(20, 7)
          }
        }
      }
    }
  }

  var operatorSet = 17
  /// nil varies.
  var input: [Int?] = [1, 3, nil, nil]
  var nodes: [Node]
  var tensors: [Tensor] = []
  var metadata: [(String, String)] = []

  /// The file: its input is `x`, its output `y`.
  var bytes: [UInt8] {
    var writer = ProtobufWriter()
    writer.number(1, 8)
    writer.message(7) { graph in
      for node in nodes { graph.message(1) { node.write(to: &$0) } }
      for tensor in tensors { graph.message(5) { tensor.write(to: &$0) } }
      for (field, name, extents) in [(11, "x", input), (12, "y", [])] {
        graph.message(field) { value in
          value.text(1, name)
          value.message(2) { type in
            type.message(1) { tensor in
              tensor.number(1, 1)
              tensor.message(2) { shape in
                for extent in extents {
                  shape.message(1) { if let extent { $0.number(1, extent) } else { $0.text(2, "n") } }
                }
              }
            }
          }
        }
      }
    }
    writer.message(8) { $0.number(2, operatorSet) }
    for (key, value) in metadata {
      writer.message(14) {
        $0.text(1, key)
        $0.text(2, value)
      }
    }
    return writer.bytes
  }

  /// What the file is read as.
  func network() throws(StyleModelError) -> ONNXNetwork {
    try readONNX(bytes, readBeside: nothingBeside).network.get()
  }

  /// The operations that it becomes, without their operands: `pad amounts: [1, 1, 1, 1], mode: reflect`.
  func operations() throws(StyleModelError) -> [String] {
    try network().graph.nodes.map { node in
      ([node.operation.mnemonic]
        + [
          node.operation.call.attributes.map { attribute in
            switch attribute.value {
            case .integers(let values):
              "\(attribute.name): \(values.count == 1 ? "\(values[0])" : "\(values)")"
            case .number(let value): "\(attribute.name): \(value)"
            case .word(let word): "\(attribute.name): \(word)"
            }
          }.joined(separator: ", ")
        ].filter { !$0.isEmpty }).joined(separator: " ")
    }
  }
}

/// A reader for models that keep nothing in files beside.
@Sendable func nothingBeside(_ name: String) throws(StyleModelError) -> [UInt8] {
  throw StyleModelError(.cannotOpen, file: name, "is not there")
}
