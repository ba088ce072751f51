public import Diagnostics
import Files

/// A Core ML package, read whole: a folder with a manifest, the model and its weights.
public struct MLPackage: Sendable {
  /// One file of the package.
  public struct File: Sendable {
    /// Its path within the package: `Data/com.apple.CoreML/model.mlmodel`.
    public var name: String
    /// What it holds.
    public var bytes: [UInt8]
  }

  /// The manifest and all files that it lists, in the order of their names.
  public let files: [File]
  /// The path of the model's own file within the package.
  public let modelName: String

  /// The name of the file that makes a folder a package.
  public static let manifestName = "Manifest.json"

  /// Reads a package.
  /// - Throws: `.cannotOpen` when a file is missing, `.badInput` when the manifest is damaged or leaves the package.
  public init(_ path: String) throws(StyleModelError) {
    let folder = path.hasSuffix("/") ? path : path + "/"
    let manifest = try readFile(folder + Self.manifestName)
    let items: PackageManifest
    do throws(StyleModelError) {
      items = try PackageManifest(manifest)
    } catch { throw error.inFile(folder + Self.manifestName) }
    var found = [Self.manifestName: manifest]
    for item in items.paths {
      let name = Self.dataFolder + item
      try Self.requireNoLinks(name, in: folder)
      if isFolder(folder + name) {
        for file in try listFolder(folder + name) {
          try Self.requireNoLinks(name + "/" + file, in: folder)
          guard !isFolder(folder + name + "/" + file) else { continue }
          found[name + "/" + file] = try readFile(folder + name + "/" + file)
        }
      } else {
        found[name] = try readFile(folder + name)
      }
      guard found.count <= Self.greatestFileCount else {
        throw StyleModelError(
          .badInput, file: path, "has more than \(Self.greatestFileCount) files, which no model needs")
      }
    }
    modelName = Self.dataFolder + items.modelPath
    guard found[modelName] != nil else {
      throw StyleModelError(.badInput, file: path, "names a folder as its model in \(Self.manifestName)")
    }
    files = found.map { File(name: $0.key, bytes: $0.value) }
      .sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
  }

  /// The model's own file.
  public var model: [UInt8] { files.first { $0.name == modelName }?.bytes ?? [] }

  /// A file by its path from the model's folder: `weights/weight.bin`.
  /// - Throws: `.badInput` when the manifest does not list it.
  public func file(besideModel name: String) throws(StyleModelError) -> [UInt8] {
    let folder = modelName.lastIndex(of: "/").map { modelName[...$0] } ?? ""
    guard let file = files.first(where: { $0.name == folder + name }) else {
      throw StyleModelError(
        .badInput, "keeps weights in '\(printable(name, limit: 200))', which is not in the package",
        remedy: "copy the whole package, with all files in it")
    }
    return file.bytes
  }

  /// What the paths of a manifest are relative to.
  static let dataFolder = "Data/"
  private static let greatestFileCount = 64

  /// Refuses a path with a symbolic link in any of its parts.
  private static func requireNoLinks(_ name: String, in folder: String) throws(StyleModelError) {
    var path = folder
    for part in name.split(separator: "/") {
      path += part
      guard !isSymbolicLink(path) else {
        throw StyleModelError(
          .badInput, file: path, "is a symbolic link, which may lead out of the package",
          remedy: "put the file itself there")
      }
      path += "/"
    }
  }
}

/// Whether a path within a package goes down only: `com.apple.CoreML/model.mlmodel`.
func goesDownOnly(_ path: String) -> Bool {
  let parts = path.split(separator: "/", omittingEmptySubsequences: false)
  return !path.isEmpty && path.utf8.count <= 1024 && !path.contains("\\") && !path.utf8.contains(0)
    && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
}
