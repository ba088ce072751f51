import Files
import MLProgramImporter

/// A network encoded: the file to be written, or the files of a package.
public struct ModelOutput: Sendable {
  private enum Form {
    case file([UInt8])
    case package([(name: String, bytes: [UInt8])])
  }

  private let form: Form

  /// One file.
  init(file bytes: [UInt8]) { form = .file(bytes) }

  /// A Core ML package: a folder of files.
  init(package files: [(name: String, bytes: [UInt8])]) { form = .package(files) }

  /// The length of the file; of a package, of its files together.
  public var byteCount: Int {
    switch form {
    case .file(let bytes): bytes.count
    case .package(let files): files.reduce(0) { $0 + $1.bytes.count }
    }
  }

  /// The file; of a package, its files one after another.
  public var bytes: [UInt8] {
    switch form {
    case .file(let bytes): bytes
    case .package(let files): files.flatMap(\.bytes)
    }
  }

  /// Writes everything as a whole: what stood there before survives every failure. A package takes the place of one that
  /// stood there, and of an empty folder, and of no other.
  /// - Throws: `.cannotCreate` or `.cannotWrite`.
  public func write(to path: String) throws(StyleModelError) {
    switch form {
    case .file(let bytes): try replaceFile(path, with: bytes)
    case .package(let files):
      try replaceFolder(path, with: files) { names in
        names.allSatisfy { $0 == MLPackage.manifestName || $0 == "Data" }
      }
    }
  }
}
