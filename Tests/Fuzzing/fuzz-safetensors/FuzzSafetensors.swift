import Diagnostics
import ModelGraph
import SafetensorsExporter
import SafetensorsImporter
import StyleModelFile

/// Reads whatever comes, and the network that it may describe; what was read as one must be written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  guard let file = try? readSafetensors(bytes), let model = try? file.model() else { return 0 }
  guard let again = try? encodeSafetensors(model) else { return 0 }
  do {
    guard let copy = try readSafetensors(again).model(), copy.provenance == model.provenance,
      copy.graph.constants.count == model.graph.constants.count
    else { fatalError("a network was lost on the way") }
  } catch { fatalError(error.message) }
  return 0
}
