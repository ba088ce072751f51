import Diagnostics
import Files

/// The models that a command line names, by themselves, by patterns, and in lists.
/// - Throws: `.cannotOpen` when a list cannot be read or a pattern matches nothing.
func modelPaths(_ arguments: ParsedArguments, _ operand: Operand) throws(StyleModelError) -> [String] {
  var paths: [String] = []
  for pattern in arguments.all(operand) { paths += try expandedPattern(pattern) }
  for list in arguments.all(CatalogueArguments.models) {
    let text = String(decoding: try readFile(list), as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline) {
      let name = line.trimmed
      guard !name.isEmpty, !name.hasPrefix("#") else { continue }
      do throws(StyleModelError) { paths += try expandedPattern(name) } catch {
        throw StyleModelError(
          error.kind, file: list, place: error.file, error.problem, remedy: error.remedy)
      }
    }
  }
  return paths
}

extension Substring {
  /// Without blanks at its ends.
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
