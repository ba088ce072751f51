import CSchemas
import Diagnostics
import ProtobufSupport

/// The files that an ONNX model keeps tensors in beside itself, each once, in the model's order; none where the model
/// is damaged, which `readONNX` says better.
public func filesBesideONNX(_ bytes: [UInt8]) -> [String] {
  var empty = OnnxFile__Model()
  onnx_file__model__init(&empty)
  guard let descriptor = empty.base.descriptor else { return [] }
  return bytes.withUnsafeBytes { raw in
    do throws(StyleModelError) {
      return try withUnpackedProtobuf(raw, descriptor, as: OnnxFile__Model.self) { message in
        guard let graph = message.graph?.pointee else { return [] }
        let constants = list(graph.node, graph.n_node).flatMap { node in
          list(node.pointee.attribute, node.pointee.n_attribute).compactMap { $0.pointee.t }
        }
        var names: [String] = []
        for tensor in list(graph.initializer, graph.n_initializer) + constants
        where tensor.pointee.data_location == 1 {
          let location = ExternalData.location(tensor.pointee)
          if ExternalData.isPlainName(location), !names.contains(location) { names.append(location) }
        }
        return names
      }
    } catch { return [] }
  }
}
