import CSchemas
import Diagnostics
import ProtobufSupport

/// Reads a file that stands beside the model, by the name that the model gives it.
typealias ExternalFileReader = (String) throws(StyleModelError) -> [UInt8]

extension ONNXFile {
  /// The most nodes and tensors that are read: far more than any style network has.
  private static let greatestCount = 20_000

  /// Reads a model from its protobuf message.
  /// - Throws: `.badInput` with the byte where the message is broken, or the part that cannot be.
  init(protobuf bytes: [UInt8], _ readBeside: @escaping ExternalFileReader) throws(StyleModelError) {
    var empty = OnnxFile__Model()
    onnx_file__model__init(&empty)
    guard let descriptor = empty.base.descriptor else {
      throw StyleModelError(.internalFault, "the schema of ONNX models is missing")
    }
    // A typed throw does not cross `withUnsafeBytes` by itself.
    let result: Result<ONNXFile, StyleModelError> = bytes.withUnsafeBytes { raw in
      do throws(StyleModelError) {
        return .success(
          try withUnpackedProtobuf(raw, descriptor, as: OnnxFile__Model.self) {
            message throws(StyleModelError) in try ONNXFile(message, readBeside)
          })
      } catch { return .failure(error) }
    }
    self = try result.get()
  }

  private init(_ message: OnnxFile__Model, _ readBeside: @escaping ExternalFileReader) throws(StyleModelError)
  {
    guard let graph = message.graph?.pointee else {
      throw StyleModelError(.badInput, "is an ONNX file without a graph")
    }
    guard max(graph.n_node, graph.n_initializer, graph.n_input) <= ONNXFile.greatestCount else {
      throw StyleModelError(
        .badInput,
        "has \(counted(graph.n_node, "node")) and \(counted(graph.n_initializer, "tensor")); \(grouped(ONNXFile.greatestCount)) of each are the most that is read"
      )
    }
    irVersion = Int(message.ir_version)
    producer = [string(message.producer_name), string(message.producer_version)].filter { !$0.isEmpty }
      .joined(separator: " ")
    let sets = list(message.opset_import, message.n_opset_import).map(\.pointee)
    operatorSet = sets.first { isStandard(string($0.domain)) }.map { Int($0.version) } ?? 1
    metadata = Dictionary(
      list(message.metadata_props, message.n_metadata_props).map {
        (string($0.pointee.key), string($0.pointee.value))
      }, uniquingKeysWith: { first, _ in first })
    inputs = list(graph.input, graph.n_input).map { ValueInfo($0.pointee) }
    outputs = list(graph.output, graph.n_output).map { ValueInfo($0.pointee) }
    var external = ExternalData(readBeside)
    var tensors: [ONNXTensor] = []
    for tensor in list(graph.initializer, graph.n_initializer) {
      tensors.append(try ONNXTensor(tensor.pointee, name: string(tensor.pointee.name), &external))
    }
    initializers = tensors
    var nodes: [ONNXNode] = []
    for node in list(graph.node, graph.n_node) { nodes.append(try ONNXNode(node.pointee, &external)) }
    self.nodes = nodes
  }
}

/// Whether a domain is the standard's own.
private func isStandard(_ domain: String) -> Bool { domain.isEmpty || domain == "ai.onnx" }

extension ONNXFile.ValueInfo {
  fileprivate init(_ message: OnnxFile__ValueInfo) {
    name = string(message.name)
    let type = message.type?.pointee.tensor_type?.pointee
    elementType = type.flatMap { $0.has_elem_type != 0 ? Int($0.elem_type) : nil }
    extents = type?.shape.map { shape in
      list(shape.pointee.dim, shape.pointee.n_dim).map { dimension in
        // Some writers put 0 or -1 where an extent varies.
        dimension.pointee.extent_case == ONNX_FILE__DIMENSION__EXTENT_DIM_VALUE
          && dimension.pointee.dim_value > 0
          ? Int(dimension.pointee.dim_value) : nil
      }
    }
  }
}

extension ONNXNode {
  fileprivate init(_ message: OnnxFile__Node, _ external: inout ExternalData) throws(StyleModelError) {
    operation = string(message.op_type)
    let domain = string(message.domain)
    self.domain = isStandard(domain) ? "" : domain
    name = string(message.name)
    inputs = list(message.input, message.n_input).map { String(cString: $0) }
    outputs = list(message.output, message.n_output).map { String(cString: $0) }
    var attributes: [String: ONNXAttribute] = [:]
    for attribute in list(message.attribute, message.n_attribute) {
      attributes[string(attribute.pointee.name)] = try ONNXAttribute(attribute.pointee, &external)
    }
    self.attributes = attributes
  }
}

extension ONNXAttribute {
  fileprivate init(_ message: OnnxFile__Attribute, _ external: inout ExternalData) throws(StyleModelError) {
    // Files of IR version 1 say no type: then the field that is there decides.
    let type =
      if message.has_type != 0 {
        Int(message.type)
      } else if message.t != nil {
        4
      } else if message.n_floats > 0 {
        6
      } else if message.n_ints > 0 {
        7
      } else if message.n_strings > 0 {
        8
      } else if message.has_s != 0 {
        3
      } else if message.has_i != 0 {
        2
      } else {
        1
      }
    switch type {
    case 1: self = .number(message.f)
    case 2: self = .integer(Int(message.i))
    case 3: self = .text(String(decoding: message.s.bytes, as: UTF8.self))
    case 4:
      guard let tensor = message.t?.pointee else {
        throw StyleModelError(
          .badInput, place: "attribute '\(string(message.name))'", "is a tensor that is missing")
      }
      self = .tensor(try ONNXTensor(tensor, name: string(tensor.name), &external))
    case 6: self = .numbers(Array(UnsafeBufferPointer(start: message.floats, count: message.n_floats)))
    case 7:
      self = .integers(UnsafeBufferPointer(start: message.ints, count: message.n_ints).map(Int.init))
    case 8:
      self = .texts(
        UnsafeBufferPointer(start: message.strings, count: message.n_strings).map {
          String(decoding: $0.bytes, as: UTF8.self)
        })
    default: self = .other(type)
    }
  }
}
