import Diagnostics
import ONNXImporter

/// Reads whatever comes as an ONNX model; anything but a result or an error is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  _ = try? readONNX(bytes) { name throws(StyleModelError) in
    throw StyleModelError(.cannotOpen, file: name, "is not there")
  }
  return 0
}
