import Files
import Glibc
import Synchronization

/// Whether the terminal's last line holds something that must not stay there when the process is ended.
let statusLineIsShown = Atomic(false)

/// From now on a signal that ends the process first removes the file that is half written and empties the status line.
/// A signal that is ignored stays so.
func tidyUpOnSignals() {
  prepareToRemoveUnfinishedFile()
  _ = statusLineIsShown.load(ordering: .relaxed)  // globals are made before the handler needs them
  for number in [SIGINT, SIGTERM, SIGHUP] {
    let before = signal(number) { number in
      // Only calls that are safe in a signal handler; a literal needs no memory.
      removeUnfinishedFile()
      if statusLineIsShown.load(ordering: .relaxed) {
        let erase: StaticString = "\r\u{1B}[K"
        _ = write(STDERR_FILENO, erase.utf8Start, erase.utf8CodeUnitCount)
      }
      signal(number, SIG_DFL)
      raise(number)
    }
    if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
  }
}
