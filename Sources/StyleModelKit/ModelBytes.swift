import Archives
import Files
import MLProgramImporter
import ONNXImporter

/// A model file, a folder of `.npy` arrays, or a Core ML package, read into memory and not looked into yet.
struct ModelBytes {
  enum Form {
    /// The file, and what it keeps in files beside it, by the names that it gives them.
    case file([UInt8], beside: [String: [UInt8]])
    /// The arrays' files, in the order of their names.
    case folder([(name: String, bytes: [UInt8])])
    /// A Core ML package.
    case package(MLPackage)
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
    if isFolder(path), isFile(path + "/" + MLPackage.manifestName) {
      let package = try MLPackage(path)
      form = .package(package)
      (byteCount, sha256) = Self.summary(of: package.files.map { ($0.name, $0.bytes) })
      return
    }
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
    for name in names { files.append((name, try readFile(path + "/" + name))) }
    form = .folder(files)
    (byteCount, sha256) = Self.summary(of: files)
  }

  private static func summary(of files: [(name: String, bytes: [UInt8])]) -> (byteCount: Int, sha256: [UInt8])
  {
    let digests = files.flatMap { Array(($0.name + "\n").utf8) + Files.sha256($0.bytes) }
    return (files.reduce(0) { $0 + $1.bytes.count }, Files.sha256(digests))
  }
}
