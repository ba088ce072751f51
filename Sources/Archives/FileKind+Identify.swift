extension FileKind {
  /// Looks at the bytes of a whole file and says what it is.
  public static func identify(_ bytes: [UInt8]) -> FileKind {
    if bytes.isEmpty { return .empty }
    for (kind, offset, magic) in magics where bytes.dropFirst(offset).starts(with: magic) { return kind }
    if bytes.starts(with: [0x52, 0x49, 0x46, 0x46]),
      bytes.dropFirst(8).starts(with: [0x57, 0x45, 0x42, 0x50])
    {
      return .webP
    }
    if isBMP(bytes) { return .bmp }
    if bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6]) {
      return zipKind(bytes)
    }
    if let kind = pickleKind(bytes) { return kind }
    if bytes.dropFirst(257).starts(with: Array("ustar".utf8)) { return tarKind(bytes) }
    if isLuaTorch(bytes) { return .luaTorch }
    if isSafetensors(bytes) { return .safetensors }
    if let kind = textKind(bytes) { return kind }
    return protobufKind(bytes) ?? .unknown
  }

  /// Kinds that a few fixed bytes at a fixed offset tell.
  private static let magics: [(kind: FileKind, offset: Int, magic: [UInt8])] = [
    (.styleModel, 0, [0x89, 0x53, 0x54, 0x59, 0x4C, 0x45, 0x0D, 0x0A]),
    (.png, 0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    (.hdf5, 0, [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]),
    (.jpeg, 0, [0xFF, 0xD8, 0xFF]),
    (.gif, 0, Array("GIF87a".utf8)),
    (.gif, 0, Array("GIF89a".utf8)),
    (.pdf, 0, Array("%PDF-".utf8)),
    (.numpyArray, 0, [0x93] + Array("NUMPY".utf8)),
    (.tensorFlowLite, 4, Array("TFL3".utf8)),
    (.gzip, 0, [0x1F, 0x8B, 8]),
    (.bzip2, 0, Array("BZh".utf8)),
    (.xz, 0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]),
    (.zstandard, 0, [0x28, 0xB5, 0x2F, 0xFD]),
    (.sevenZip, 0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
    (.rar, 0, Array("Rar!".utf8) + [0x1A, 7]),
  ]

  /// What a zip is for, by the names of its members.
  private static func zipKind(_ bytes: [UInt8]) -> FileKind {
    guard ZipDirectory.endRecord(of: bytes) != nil else { return .truncatedZip(count: bytes.count) }
    // A damaged directory is the reader's to explain; most zips that come this way are checkpoints.
    guard let archive = try? ZipArchive(bytes) else { return .pyTorchZip }
    let names = archive.entries.map(\.name)
    func has(_ file: String) -> Bool { names.contains { $0 == file || $0.hasSuffix("/" + file) } }
    if has("data.pkl") {
      let isProgram =
        has("constants.pkl") || names.contains { $0.hasPrefix("code/") || $0.contains("/code/") }
      return isProgram ? .torchScript : .pyTorchZip
    }
    if has("model.json"), names.contains(where: { $0.contains("tensors/") || $0.contains("code/") }) {
      return .torchScriptJSON
    }
    if has("model.weights.h5") { return .kerasArchive }
    if !names.isEmpty, names.allSatisfy({ $0.hasSuffix(".npy") }) { return .numpyArchive }
    // Other writers than NumPy's own leave the suffix out.
    if let first = archive.entries.first, let content = try? archive.read(first),
      content.starts(with: [0x93] + Array("NUMPY".utf8))
    {
      return .numpyArchive
    }
    return .zip
  }

  /// The first of the pickles of a legacy checkpoint is the number 0x1950A86A20F9469CFC6C.
  private static func pickleKind(_ bytes: [UInt8]) -> FileKind? {
    let magic: [UInt8] = [0x8A, 10, 0x6C, 0xFC, 0x9C, 0x46, 0xF9, 0x20, 0x6A, 0xA8, 0x50, 0x19, 0x2E]
    if bytes.count >= 2, bytes[0] == 0x80, (2...5).contains(bytes[1]) {
      // From protocol 4 on, a frame of nine bytes may come between.
      let isLegacy =
        bytes.dropFirst(2).starts(with: magic)
        || bytes[1] >= 4 && bytes.dropFirst(2).first == 0x95 && bytes.dropFirst(11).starts(with: magic)
      return isLegacy ? .pyTorchLegacy : .plainPickle
    }
    // Protocol 0 has no header: a dict, a list or an instance, put into the memo.
    for start in ["(dp0\n", "(dp1\n", "(lp0\n", "(lp1\n", "(ip0\n", "ccopy_reg\n_reconstructor\n"]
    where bytes.starts(with: start.utf8) {
      return .plainPickle
    }
    return nil
  }

  /// The tar of PyTorch 0.1 holds just these; anything else in a tar is the user's to unpack.
  private static func tarKind(_ bytes: [UInt8]) -> FileKind {
    let expected: Set<String> = ["sys_info", "pickle", "storages", "tensors", "views", "locations"]
    var offset = 0
    while offset <= bytes.count - 512, bytes[offset] != 0 {
      var name = String(decoding: bytes[offset..<(offset + 100)].prefix { $0 != 0 }, as: UTF8.self)
      if name.hasPrefix("./") { name.removeFirst(2) }
      guard expected.contains(name) else { return .tar }
      if name == "storages" || name == "pickle" { return .pyTorchTar }
      var size = 0
      for digit in bytes[(offset + 124)..<(offset + 135)] where (0x30...0x37).contains(digit) {
        size = size << 3 | Int(digit - 0x30)
      }
      offset += 512 + (size + 511) / 512 * 512
    }
    return .tar
  }

  /// Torch 7 starts with a type tag (3 a table, 4 an object) and the index 1, as 32-bit numbers or as lines.
  private static func isLuaTorch(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: Array("4\n1\n3\nV 1\n".utf8)) { return true }
    var cursor = ByteCursor(bytes[...])
    guard let type = cursor.integer(UInt32.self), cursor.integer(UInt32.self) == 1,
      let next = cursor.integer(UInt32.self)
    else { return false }
    if type == 4 { return next == 3 && cursor.take(3).map { $0.elementsEqual("V 1".utf8) } ?? false }
    return type == 3 && next < 1 << 20 && cursor.integer(UInt32.self).map { $0 <= 8 } ?? false
  }

  /// "BM" alone may open any text; the file's own size follows it.
  private static func isBMP(_ bytes: [UInt8]) -> Bool {
    var cursor = ByteCursor(bytes[...])
    return cursor.integer(UInt16.self) == 0x4D42 && cursor.integer(UInt32.self).map(Int.init) == bytes.count
  }

  private static func isSafetensors(_ bytes: [UInt8]) -> Bool {
    var cursor = ByteCursor(bytes[...])
    guard let length = cursor.integer(UInt64.self), let next = cursor.take(2), length < 100 << 20 else {
      return false
    }
    return next.first == 0x7B && (next.last == 0x22 || next.last == 0x20 || next.last == 0x7D)
  }

  private static func textKind(_ bytes: [UInt8]) -> FileKind? {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let head = bytes.dropFirst(bytes.starts(with: byteOrderMark) ? 3 : 0).prefix(1024)
    if bytes.starts(with: Array("version https://git-lfs.github.com/spec/".utf8)) {
      return .gitLFSPointer(size: lfsSize(bytes.prefix(1024)))
    }
    // Anything but tabs, line ends, printable ASCII and UTF-8 (cut anywhere) says that it is no text.
    guard head.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) }) else { return nil }
    let text = String(decoding: head, as: UTF8.self)
    if text.dropLast().contains("\u{FFFD}") { return nil }
    let start = text.drop { $0.isWhitespace }.prefix(64).lowercased()
    if ["<!doctype html", "<html", "<head", "<body", "<title"].contains(where: start.hasPrefix) {
      return .html
    }
    if start.hasPrefix("<?xml") { return text.lowercased().contains("<html") ? .html : .xml }
    if start.hasPrefix("<!--"), text.lowercased().contains("<html") { return .html }
    if start.hasPrefix("{") || start.hasPrefix("[") { return .json }
    return .text
  }

  private static func lfsSize(_ bytes: ArraySlice<UInt8>) -> Int? {
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    where line.hasPrefix("size ") {
      return Int(line.dropFirst(5))
    }
    return nil
  }
}
