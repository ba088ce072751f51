@_spi(Fuzzing) import StyleModelFile

/// Reads the input as a `.stylemodel` without looking at checksums, which a fuzzer could not guess. Whatever can be
/// read can be written, and comes back as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  guard let model = try? decodeStyleModelIgnoringChecksums(bytes) else { return 0 }
  do {
    let written = try encodeStyleModel(model)
    guard try encodeStyleModel(try decodeStyleModel(written)) == written else {
      fatalError("a model came back as another")
    }
  } catch {
    fatalError("what was read could not be written: \(error)")
  }
  return 0
}
