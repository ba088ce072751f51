import Glibc
import Testing

/// What a shell command prints on either stream.
func shell(_ command: String) throws -> String {
  // Threads of tests have signals blocked, and a process starts with what its parent's thread has blocked.
  var all = sigset_t()
  var before = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_UNBLOCK, &all, &before)
  let started = popen("(\(command)) 2>&1", "r")
  pthread_sigmask(SIG_SETMASK, &before, nil)
  let stream = try #require(started)
  defer { pclose(stream) }
  return drain(fileno(stream))
}

/// A text as one word of a shell's line.
func word(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}

/// Whether a program is installed where Debian puts programs.
func isInstalled(_ program: String) -> Bool { access("/usr/bin/" + program, X_OK) == 0 }
