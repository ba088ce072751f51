import Diagnostics
import Glibc

/// Whether two names are of one existing file: through links of either kind, and however the folders are written.
func isSameFile(_ a: String, _ b: String) -> Bool {
  var first = stat()
  var second = stat()
  return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_ino == second.st_ino
    && first.st_dev == second.st_dev
}

/// Refuses an output that is one of the inputs, which would be lost.
/// - Throws: `.usage`.
func requireNotInput(_ output: String, _ inputs: [String]) throws(StyleModelError) {
  guard let input = inputs.first(where: { isSameFile($0, output) }) else { return }
  throw StyleModelError(
    .usage, file: output,
    input == output
      ? "is the input itself, which would be lost"
      : "is the input '\(input)' itself, which would be lost", remedy: "name another output with -o")
}
