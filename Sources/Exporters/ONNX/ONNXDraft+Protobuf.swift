import ProtobufSupport

extension ONNXDraft {
  /// What a file says besides its nodes and tensors.
  struct Description {
    var producer: String
    var version: String
    var name: String
    var text: String
    var input: String
    var output: String
    var metadata: [(key: String, text: String)]
  }

  /// The whole file; fields by their numbers in `Schemas/ONNX.proto`.
  func bytes(_ description: Description) -> [UInt8] {
    var file = ProtobufWriter()
    file.number(1, operatorSet < 21 ? 8 : 10)  // the IR version that the operators' version came with
    file.text(2, description.producer)
    file.text(3, description.version)
    file.text(6, description.text)
    file.message(7) { graph in
      for node in nodes { graph.message(1) { node.write(to: &$0) } }
      graph.text(2, description.name)
      for tensor in tensors { graph.message(5) { tensor.write(to: &$0) } }
      graph.message(11) { writePicture(description.input, ["height", "width"], to: &$0) }
      graph.message(12) { writePicture(description.output, ["output_height", "output_width"], to: &$0) }
    }
    file.message(8) {
      $0.text(1, "")
      $0.number(2, operatorSet)
    }
    for entry in description.metadata {
      file.message(14) {
        $0.text(1, entry.key)
        $0.text(2, entry.text)
      }
    }
    return file.bytes
  }

  /// `float[1, 3, height, width]`, whose last two extents vary.
  private func writePicture(_ name: String, _ extents: [String], to value: inout ProtobufWriter) {
    value.text(1, name)
    value.message(2) { type in
      type.message(1) { tensor in
        tensor.number(1, ElementNumber.float32.rawValue)
        tensor.message(2) { shape in
          for extent in [1, 3] { shape.message(1) { $0.number(1, extent) } }
          for extent in extents { shape.message(1) { $0.text(2, extent) } }
        }
      }
    }
  }
}

extension ONNXDraft.Tensor {
  fileprivate func write(to tensor: inout ProtobufWriter) {
    for extent in extents { tensor.number(1, extent) }
    tensor.number(2, type.rawValue)
    tensor.text(8, name)
    tensor.block(9, bytes)
  }
}

extension ONNXDraft.Node {
  fileprivate func write(to node: inout ProtobufWriter) {
    for input in inputs { node.text(1, input) }
    node.text(2, output)
    node.text(3, name)
    node.text(4, operation)
    for attribute in attributes {
      node.message(5) { field in
        field.text(1, attribute.name)
        switch attribute.value {
        case .number(let value):
          field.float(2, value)
          field.number(20, 1)
        case .integer(let value):
          field.number(3, value)
          field.number(20, 2)
        case .text(let value):
          field.text(4, value)
          field.number(20, 3)
        case .integers(let values):
          for value in values { field.number(8, value) }
          field.number(20, 7)
        }
      }
    }
  }
}
