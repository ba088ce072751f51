import Diagnostics
import MLProgramExporter
import MLProgramImporter
import StyleModelFile

/// Reads whatever comes as an ML Program, whose weights lie in those same bytes behind a sound header; anything but a result
/// or an error is a finding. What is read must be written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let weights = [1, 0, 0, 0, 2, 0, 0, 0] + [UInt8](repeating: 0, count: 56) + bytes
  guard let model = try? readMLProgram(bytes, readBeside: { _ in weights }),
    let network = try? model.network.get()
  else { return 0 }
  let provenance = Provenance(
    sourceName: "x", sourceByteCount: 1, sourceSHA256: [UInt8](repeating: 0, count: 32), options: [],
    tool: "x")
  guard let files = try? encodeMLPackage(StyleModel(graph: network.graph, provenance: provenance)) else {
    return 0
  }
  do throws(StyleModelError) {
    let again = try readMLProgram(files[0].bytes) { _ in files[1].bytes }
    _ = try again.network.get()
  } catch { fatalError("what was written is not read: \(error.message)") }
  return 0
}
