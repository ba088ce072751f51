import CoreMLImporter

/// Reads whatever comes as a Core ML neural network; anything but a result or an error is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  _ = try? readCoreML(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}
