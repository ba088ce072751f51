import Diagnostics
import Glibc
import Synchronization

/// How far a long piece of work is, on the terminal's last line.
///
/// Nothing shows when standard error is not a terminal, nor before the work has gone on for a second. Safe to update
/// from any thread.
final class ProgressBar: Sendable {
  private let console: Console
  private let label: String
  private let clock: @Sendable () -> Double

  private struct State {
    var started: Double
    var lastShown: Double?
    var fraction = 0.0
    var isFinished = false
  }
  private let state: Mutex<State>

  /// Starts the clock of a piece of work.
  /// - Parameters:
  ///   - label: what is being done, in a word or two: `Evaluating`.
  ///   - clock: seconds since some fixed moment.
  init(_ label: String, on console: Console, clock: @escaping @Sendable () -> Double = monotonicSeconds) {
    self.console = console
    self.label = label
    self.clock = clock
    state = Mutex(State(started: clock()))
  }

  /// Says how much of the work is done, from 0 to 1. Cheap to call often: the terminal sees ten a second at most.
  func update(_ fraction: Double) {
    guard console.isInteractive else { return }
    state.withLock { state in
      let now = clock()
      // Updates from several threads may overtake each other; a bar never goes back.
      state.fraction = max(state.fraction, min(1, fraction))
      guard !state.isFinished, now - state.started >= 1, now - (state.lastShown ?? 0) >= 0.1 else { return }
      state.lastShown = now
      console.showStatusLine(
        Self.line(label, fraction: state.fraction, elapsed: now - state.started, width: console.width))
    }
  }

  /// Takes the bar away; later updates do nothing.
  func finish() {
    state.withLock { state in
      state.isFinished = true
      if state.lastShown != nil { console.removeStatusLine() }
    }
  }

  /// One line of at most `width - 1` columns: `Evaluating [######··········]  37 %  12 s left`.
  static func line(_ label: String, fraction: Double, elapsed: Double, width: Int) -> String {
    let percent = String(Int(fraction * 100))
    var tail = "] " + spaces(3 - percent.count) + percent + " %"
    if fraction > 0.01 { tail += "  " + duration(elapsed / fraction * (1 - fraction)) + " left" }
    let head = label + " ["
    let room = min(40, width - 1 - head.count - tail.count)
    guard room >= 5 else { return String((label + " " + percent + " %").prefix(max(0, width - 1))) }
    let done = Int(fraction * Double(room))
    return head + String(repeating: "#", count: done) + String(repeating: "·", count: room - done) + tail
  }

  /// A time for people: `9 s`, `2 min 05 s`, `1 h 04 min`.
  static func duration(_ seconds: Double) -> String {
    guard seconds < 360_000 else { return "days" }
    let whole = Int(seconds.rounded(.up))
    func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(two(whole % 60)) s" }
    return "\(whole / 3600) h \(two(whole % 3600 / 60)) min"
  }
}

/// Seconds on a clock that nobody sets.
@Sendable func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
