import Diagnostics
import Files
import Glibc
import Synchronization

/// Where a command speaks: results go to standard output, everything else to standard error.
///
/// Safe to use from any thread; a progress bar never mixes with a message.
final class Console: Sendable {
  private let output: Int32
  private let diagnostics: Int32
  private let outputIsTerminal: Bool
  /// Whether standard error is a terminal that understands cursor movements: only then is progress shown.
  let isInteractive: Bool
  /// Whether messages may be coloured.
  let usesColor: Bool

  private struct State {
    var pending: [UInt8] = []
    /// The first error number that writing results met.
    var failure: Int32 = 0
    var hasStatusLine = false
  }
  private let state = Mutex(State())

  /// Creates a console over two descriptors.
  /// - Parameter environment: looks up `NO_COLOR` and `TERM`.
  init(
    output: Int32 = STDOUT_FILENO, diagnostics: Int32 = STDERR_FILENO,
    environment: (String) -> String? = environmentVariable
  ) {
    self.output = output
    self.diagnostics = diagnostics
    outputIsTerminal = isatty(output) == 1
    isInteractive = isatty(diagnostics) == 1 && environment("TERM") != "dumb"
    usesColor = isInteractive && (environment("NO_COLOR") ?? "").isEmpty
  }

  /// A line of results. On a terminal it shows at once; elsewhere when there is much of it, before a message, and at
  /// the end.
  func print(_ line: String = "", terminator: String = "\n") {
    state.withLock { state in
      state.pending += line.utf8
      state.pending += terminator.utf8
      if outputIsTerminal || state.pending.count >= 1 << 16 { flush(&state) }
    }
  }

  /// Something that the user should look at, though the work goes on.
  func warn(_ text: String) { note(styled("Warning:", .yellow) + " " + text) }

  /// The error in its one form: `Error: FILE: PLACE: PROBLEM; REMEDY`.
  func fail(_ error: StyleModelError) {
    var text = error.message
    if error.file == nil, error.place == nil, let first = text.first, first.isLowercase {
      text = first.uppercased() + text.dropFirst()
    }
    note(styled("Error:", .red) + " " + text)
  }

  /// Something worth knowing that is no result. It may have several lines.
  func note(_ text: String) {
    state.withLock { state in
      // Results come first where both streams are one terminal.
      flush(&state)
      clearStatusLine(&state)
      _ = writeAll(Array((text + "\n").utf8), to: diagnostics)
    }
  }

  /// Writes out what is pending.
  /// - Throws: `.cannotWrite` when results could not be written. A reader that has seen enough and closed its end of
  ///   the pipe is no error.
  func finish() throws(StyleModelError) {
    let failure = state.withLock { state in
      flush(&state)
      clearStatusLine(&state)
      return state.failure
    }
    guard failure == 0 || failure == EPIPE else {
      throw StyleModelError(
        .cannotWrite, file: "standard output", "cannot be written (\(systemErrorText(failure)))",
        remedy: failure == ENOSPC ? "make room on the disk" : "check where it is redirected to")
    }
  }

  private func flush(_ state: inout State) {
    guard !state.pending.isEmpty else { return }
    clearStatusLine(&state)
    if state.failure == 0 { state.failure = writeAll(state.pending, to: output) }
    state.pending.removeAll(keepingCapacity: true)
  }
}

// The status line: the last line of the terminal, where progress stands until something else is written.
extension Console {
  /// The columns of the terminal.
  var width: Int {
    var size = winsize()
    let known = ioctl(diagnostics, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return known ? Int(size.ws_col) : lineWidth
  }

  /// Shows a text on the status line in place of the last one. Only for an interactive console.
  func showStatusLine(_ text: String) {
    state.withLock { state in
      flush(&state)
      state.hasStatusLine = true
      statusLineIsShown.store(true, ordering: .relaxed)
      _ = writeAll(Array((eraseLine + text).utf8), to: diagnostics)
    }
  }

  /// Takes the status line away.
  func removeStatusLine() { state.withLock { clearStatusLine(&$0) } }

  private func clearStatusLine(_ state: inout State) {
    guard state.hasStatusLine else { return }
    state.hasStatusLine = false
    statusLineIsShown.store(false, ordering: .relaxed)
    _ = writeAll(Array(eraseLine.utf8), to: diagnostics)
  }
}

extension Console {
  private enum Style: String {
    case red = "\u{1B}[1;31m"
    case yellow = "\u{1B}[1;33m"
  }

  private func styled(_ text: String, _ style: Style) -> String {
    usesColor ? style.rawValue + text + "\u{1B}[0m" : text
  }
}

/// Moves to the start of the terminal's line and empties it.
private let eraseLine = "\r\u{1B}[K"

/// A variable of the process's environment.
func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
