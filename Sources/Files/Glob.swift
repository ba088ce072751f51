public import Diagnostics
import Glibc

/// The files that a pattern of a shell (`models/*.pth`, `?`, `[a-c]`) stands for, sorted by their bytes; a name without
/// a pattern stands for itself, whether or not there is such a file.
/// - Throws: `.cannotOpen` when nothing matches.
public func expandedPattern(_ pattern: String) throws(StyleModelError) -> [String] {
  var status = stat()
  // A file may have such a character in its name.
  guard pattern.contains(where: { "*?[".contains($0) }), stat(pattern, &status) != 0 else { return [pattern] }
  var found = glob_t()
  defer { globfree(&found) }
  guard glob(pattern, GLOB_NOSORT, nil, &found) == 0, let paths = found.gl_pathv else {
    throw StyleModelError(.cannotOpen, file: pattern, "matches no file", remedy: "check the pattern")
  }
  let names = (0..<Int(found.gl_pathc)).compactMap { paths[$0].map { String(cString: $0) } }
  return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
}
