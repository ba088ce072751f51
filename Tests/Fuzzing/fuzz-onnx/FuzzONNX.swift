import Diagnostics
import ModelGraph
import ONNXExporter
import ONNXImporter
import StyleModelFile

/// Reads whatever comes as an ONNX model. What was read as a network can be written, unless the writer refuses it, and
/// comes back; what came back once is written as the same bytes from then on.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let first = try? graph(Array(UnsafeBufferPointer(start: data, count: count))),
    let written = try? encodeONNX(model(first))
  else { return 0 }
  do {
    let second = try graph(written)
    guard second.contract == first.contract, second.input.name == first.input.name || first.input.name.isEmpty
    else { fatalError("the pixels or the input came back as others") }
    let settled = try encodeONNX(model(second))
    guard try encodeONNX(model(try graph(settled))) == settled else {
      fatalError("a network came back as another")
    }
  } catch { fatalError("what was written cannot be read: \(error.message)") }
  return 0
}

private func graph(_ bytes: [UInt8]) throws(StyleModelError) -> Graph {
  try readONNX(bytes) { name throws(StyleModelError) in
    throw StyleModelError(.cannotOpen, file: name, "is not there")
  }.network.get().graph
}

private func model(_ graph: Graph) -> StyleModel {
  StyleModel(
    graph: graph,
    provenance: Provenance(
      sourceName: "fuzz.onnx", sourceByteCount: 1, sourceSHA256: Array(0..<32), options: [], tool: "fuzz 1"))
}
