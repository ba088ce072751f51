import Archives

/// Reads the directory of whatever comes, and every member; anything but a result or an error is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  _ = FileKind.identify(bytes)
  guard let archive = try? ZipArchive(bytes) else { return 0 }
  for entry in archive.entries { _ = try? archive.read(entry) }
  return 0
}
