import Files
import MLProgramImporter

/// A model file, a folder of `.npy` arrays, or a Core ML package, read into memory and not looked into yet.
struct ModelBytes {
  enum Form {
    case file([UInt8])
    /// The arrays' files, in the order of their names.
    case folder([(name: String, bytes: [UInt8])])
    /// A Core ML package.
    case package(MLPackage)
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
      form = .file(bytes)
      byteCount = bytes.count
      sha256 = Files.sha256(bytes)
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
