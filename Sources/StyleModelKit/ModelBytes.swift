import Archives
import Files
import Glibc
import ONNXImporter

/// A model file, or a folder of `.npy` arrays, read into memory and not looked into yet.
struct ModelBytes {
  enum Form {
    /// The file, and what it keeps in files beside it, by the names that it gives them.
    case file([UInt8], beside: [String: [UInt8]])
    /// The arrays' files, in the order of their names.
    case folder([(name: String, bytes: [UInt8])])
  }

  /// The file or folder, as the user named it.
  let path: String
  /// What was read.
  let form: Form
  /// The file's size in bytes, with the files that belong to it; a folder's files together.
  let byteCount: Int
  /// The SHA-256 digest of the file; of a folder, that of its files' names and digests; of a file that others belong to,
  /// that of its own digest and their names and digests.
  let sha256: [UInt8]

  /// Reads everything.
  /// - Throws: `.cannotOpen` when it is missing, unreadable, or a folder without arrays.
  init(_ path: String) throws(StyleModelError) {
    self.path = path
    let names = isFolder(path) ? try listFolder(path).filter { $0.hasSuffix(".npy") } : []
    // A folder without arrays is refused as any that is named by mistake.
    guard !names.isEmpty else {
      let bytes = try readFile(path)
      var beside: [String: [UInt8]] = [:]
      var digests = Files.sha256(bytes)
      let folder = path.dropLast(fileName(of: path).count)
      for name in FileKind.identify(bytes) == .onnx ? filesBesideONNX(bytes) : [] {
        let part = try readFile(folder + name)
        digests += Array((name + "\n").utf8) + Files.sha256(part)
        beside[name] = part
      }
      form = .file(bytes, beside: beside)
      byteCount = beside.values.reduce(bytes.count) { $0 + $1.count }
      sha256 = beside.isEmpty ? digests : Files.sha256(digests)
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

private func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}
