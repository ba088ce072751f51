public import Diagnostics
import Glibc

/// The names in a folder, sorted by their bytes, hidden ones left out.
/// - Throws: `.cannotOpen` when it is missing or not a folder.
public func listFolder(_ path: String) throws(StyleModelError) -> [String] {
  guard let handle = opendir(path.isEmpty ? "." : path) else {
    throw StyleModelError(
      .cannotOpen, file: path, "cannot be listed (\(systemErrorText(errno)))",
      remedy: "name a folder that exists")
  }
  defer { closedir(handle) }
  var names: [String] = []
  while let entry = readdir(handle) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
}
