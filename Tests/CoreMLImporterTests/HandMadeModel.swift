import CoreMLImporter
import Diagnostics
import ModelGraph
import ProtobufSupport

/// A Core ML neural network written by hand, field by field, for one question each.
struct HandMadeModel {
  /// Writes the fields of a message.
  typealias Fields = @Sendable (inout ProtobufWriter) -> Void

  /// A layer of the kind that a field number names.
  struct Layer {
    var kind: Int
    var inputs: [String]
    var outputs: [String]
    var fields: Fields

    init(_ kind: Int, _ inputs: [String], _ outputs: [String], _ fields: @escaping Fields = { _ in }) {
      self.kind = kind
      self.inputs = inputs
      self.outputs = outputs
      self.fields = fields
    }

    /// A 3×3 convolution of three channels to three, every weight 1, with more settings.
    static func convolution(
      _ input: String, _ output: String, outputs: Int = 3, inputs: Int = 3, taps: Int = 3,
      _ more: @escaping Fields = { _ in }
    ) -> Layer {
      Layer(100, [input], [output]) { writer in
        writer.number(1, outputs)
        writer.number(2, inputs)
        writer.numbers(20, [taps, taps])
        more(&writer)
        writer.message(90) { $0.floats(1, [Float](repeating: 1, count: outputs * inputs * taps * taps)) }
      }
    }

    func write(to writer: inout ProtobufWriter) {
      for input in inputs { writer.text(2, input) }
      for output in outputs { writer.text(3, output) }
      writer.message(kind, fields)
    }
  }

  var layers: [Layer]
  var version = 4
  /// Whether arrays and pictures become blobs of rank 5 (0) or exactly (1).
  var mapping = 1
  var size = PictureSize(width: 32, height: 48)
  /// More fields of the picture that goes in.
  var inputType: Fields = { _ in }
  var colorSpaces = (input: 20, output: 20)
  /// Whether an array comes out in place of a picture.
  var givesArray = false
  var preprocessing: [Fields] = []
  /// The shape of an array that goes in beside the picture.
  var style: [Int]?

  init(_ layers: [Layer]) { self.layers = layers }

  /// The file: its input is `x`, its output `y`.
  var bytes: [UInt8] {
    var writer = ProtobufWriter()
    write(to: &writer)
    return writer.bytes
  }

  func write(to writer: inout ProtobufWriter, kind: Int = 500) {
    writer.number(1, version)
    writer.message(2) { description in
      feature(&description, 1, "x") { type in
        type.message(4) { image in
          image.number(1, size.width)
          image.number(2, size.height)
          image.number(3, colorSpaces.input)
          inputType(&image)
        }
      }
      if let style {
        feature(&description, 1, "index") { type in
          type.message(5) {
            $0.numbers(1, style)
            $0.number(2, 65600)
          }
        }
      }
      feature(&description, 10, "y") { type in
        if givesArray {
          type.message(5) { $0.number(2, 65568) }
        } else {
          type.message(4) { image in
            image.number(1, size.width)
            image.number(2, size.height)
            image.number(3, colorSpaces.output)
          }
        }
      }
    }
    writer.message(kind) { network in
      for layer in layers { network.message(1) { layer.write(to: &$0) } }
      for step in preprocessing { network.message(2, step) }
      if mapping != 0 {
        network.number(5, mapping)
        network.number(6, mapping)
      }
    }
  }

  private func feature(_ writer: inout ProtobufWriter, _ field: Int, _ name: String, _ type: Fields) {
    writer.message(field) {
      $0.text(1, name)
      $0.message(3, type)
    }
  }

  /// What the file is read as.
  func network() throws(StyleModelError) -> CoreMLNetwork { try readCoreML(bytes).network.get() }

  /// The operations that it becomes, without their operands: `pad amounts: [1, 1, 1, 1], mode: reflect`.
  func operations() throws(StyleModelError) -> [String] {
    try network().graph.nodes.map { node in
      let attributes = node.operation.call.attributes.map { attribute in
        switch attribute.value {
        case .integers(let values):
          "\(attribute.name): \(values.count == 1 ? "\(values[0])" : "\(values)")"
        case .number(let value): "\(attribute.name): \(value)"
        case .word(let word): "\(attribute.name): \(word)"
        }
      }
      return ([node.operation.mnemonic] + [attributes.joined(separator: ", ")].filter { !$0.isEmpty })
        .joined(separator: " ")
    }
  }
}
