import Diagnostics

/// What the manifest of a Core ML package says: which files it has, and which of them is the model.
struct PackageManifest {
  /// The paths of all items, from the package's folder `Data`; each is a file or a folder of files.
  let paths: [String]
  /// The model's.
  let modelPath: String

  /// Reads a manifest.
  /// - Throws: `.badInput` when it is no manifest, of a newer version, or names a path that leaves the package.
  init(_ bytes: [UInt8]) throws(StyleModelError) {
    let manifest = try JSONValue(
      parsing: bytes[...], limits: JSONValue.Limits(depth: 8, byteCount: 1 << 20, valueCount: 1 << 12))
    guard let version = manifest["fileFormatVersion"]?.string, version.hasPrefix("1.") else {
      throw StyleModelError(
        .badInput, place: "fileFormatVersion",
        "is \(manifest["fileFormatVersion"]?.string.map { "'\(printable($0, limit: 40))'" } ?? "missing"); version 1 is read"
      )
    }
    guard let items = manifest["itemInfoEntries"]?.members, !items.isEmpty else {
      throw StyleModelError(.badInput, place: "itemInfoEntries", "lists no files")
    }
    guard items.count <= 64 else {
      throw StyleModelError(.badInput, place: "itemInfoEntries", "lists \(items.count) items; 64 are read")
    }
    var paths: [String] = []
    for item in items {
      let place = "item '\(printable(item.key, limit: 60))'"
      guard let path = item.value["path"]?.string else {
        throw StyleModelError(.badInput, place: place, "has no path")
      }
      guard goesDownOnly(path) else {
        throw StyleModelError(
          .badInput, place: place, "names '\(printable(path, limit: 200))', which leaves the package",
          remedy: "do not use this file: only paths down from the package's own folder are read")
      }
      paths.append(path)
    }
    let root = manifest["rootModelIdentifier"]?.string
    guard let index = items.firstIndex(where: { $0.key == root }) else {
      throw StyleModelError(
        .badInput, place: "rootModelIdentifier", "names no item of the manifest, so there is no model")
    }
    self.paths = paths
    modelPath = paths[index]
  }
}
