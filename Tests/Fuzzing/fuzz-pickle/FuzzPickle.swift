import PyTorchImporter

/// Reads whatever comes as a whole checkpoint, and as a bare pickle in a zip that is otherwise sound.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  _ = try? readPyTorchCheckpoint(bytes)
  _ = try? readPyTorchCheckpoint(zip(dataPickle: bytes))
  return 0
}

/// A zip with `bytes` as its data.pkl, and storages 0 to 3 of 64 bytes each.
private func zip(dataPickle bytes: [UInt8]) -> [UInt8] {
  let storage = (0..<64).map { UInt8($0) }
  let members = [("a/data.pkl", bytes)] + (0..<4).map { ("a/data/\($0)", storage) }
  var file: [UInt8] = []
  var directory: [UInt8] = []
  for (name, content) in members {
    let offset = UInt32(file.count)
    let sizes = word(crc32(content)) + word(UInt32(content.count)) + word(UInt32(content.count))
    let common = half(0) + half(0) + half(0) + half(0) + sizes + half(UInt16(name.utf8.count)) + half(0)
    file += word(0x0403_4B50) + half(20) + common + Array(name.utf8) + content
    directory += word(0x0201_4B50) + half(20) + half(20) + common + half(0) + half(0) + half(0) + word(0)
    directory += word(offset) + Array(name.utf8)
  }
  let end = word(0x0605_4B50) + half(0) + half(0) + half(UInt16(members.count)) + half(UInt16(members.count))
  return file + directory + end + word(UInt32(directory.count)) + word(UInt32(file.count)) + half(0)
}

private func half(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
private func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }

private func crc32(_ bytes: [UInt8]) -> UInt32 {
  ~bytes.reduce(~UInt32(0)) { crc, byte in
    (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
  }
}
