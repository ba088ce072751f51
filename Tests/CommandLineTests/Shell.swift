import Glibc
import Testing

/// What a shell command prints on either stream.
func shell(_ command: String) throws -> String {
  let stream = try #require(popen("(\(command)) 2>&1", "r"))
  defer { pclose(stream) }
  return drain(fileno(stream))
}

/// A text as one word of a shell's line.
func word(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}

/// Whether a program is installed where Debian puts programs.
func isInstalled(_ program: String) -> Bool { access("/usr/bin/" + program, X_OK) == 0 }
