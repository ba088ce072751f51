import Files

/// A model file, or a folder of `.npy` arrays, read into memory and not looked into yet.
struct ModelBytes {
  enum Form {
    case file([UInt8])
    /// The arrays' files, in the order of their names.
    case folder([(name: String, bytes: [UInt8])])
  }

  /// The file or folder, as the user named it.
  let path: String
  /// What was read.
  let form: Form
  /// The file's size in bytes; a folder's files together.
  let byteCount: Int
  /// The SHA-256 digest of the file; of a folder, that of its files' names and digests.
  let sha256: [UInt8]

  /// Reads everything.
  /// - Throws: `.cannotOpen` when it is missing, unreadable, or a folder without arrays.
  init(_ path: String) throws(StyleModelError) {
    self.path = path
    let names = isFolder(path) ? try listFolder(path).filter { $0.hasSuffix(".npy") } : []
    // A folder without arrays is refused as any that is named by mistake.
    guard !names.isEmpty else {
      let bytes = try readFile(path)
      form = .file(bytes)
      byteCount = bytes.count
      sha256 = Files.sha256(bytes)
      return
    }
    var files: [(name: String, bytes: [UInt8])] = []
    var digests: [UInt8] = []
    for name in names {
      let bytes = try readFile(path + "/" + name)
      digests += Array((name + "\n").utf8) + Files.sha256(bytes)
      files.append((name, bytes))
    }
    form = .folder(files)
    byteCount = files.reduce(0) { $0 + $1.bytes.count }
    sha256 = Files.sha256(digests)
  }
}
