import Glibc
import Synchronization
import Testing

@testable import CommandLine

@Suite struct ProgressBarTests {
  @Test func showsOnATerminalOnlyAndForLongWorkOnly() throws {
    let terminal = try Terminal()
    let time = Clock()
    let console = Console(output: terminal.descriptor, diagnostics: terminal.descriptor) { _ in nil }
    #expect(console.isInteractive && console.usesColor)
    let bar = ProgressBar("Evaluating", on: console, clock: time.read)
    time.set(0.9)
    bar.update(0.3)
    #expect(terminal.seen() == "")
    time.set(1)
    bar.update(0.25)
    #expect(terminal.seen().contains("Evaluating [############····"))
    time.set(1.05)
    bar.update(0.5)
    #expect(terminal.seen() == "", "a second time within a tenth of a second")
    console.note("half of it")
    #expect(terminal.seen() == "\r\u{1B}[Khalf of it\r\n")
    time.set(2)
    bar.update(0.4)
    #expect(terminal.seen().contains(" 50 %  2 s left"), "a bar never goes back")
    bar.finish()
    #expect(terminal.seen() == "\r\u{1B}[K")
    time.set(3)
    bar.update(1)
    #expect(terminal.seen() == "")
  }

  @Test func showsNothingInAFileOrOnADumbTerminal() throws {
    let file = try Scratch()
    let terminal = try Terminal()
    for descriptor in [file.descriptor, terminal.descriptor] {
      let console = Console(output: descriptor, diagnostics: descriptor) { $0 == "TERM" ? "dumb" : nil }
      let time = Clock()
      let bar = ProgressBar("Evaluating", on: console, clock: time.read)
      time.set(5)
      bar.update(0.5)
      bar.finish()
    }
    #expect(file.text() == "")
    #expect(terminal.seen() == "")
  }

  @Test func aSignalEmptiesTheLineAndStillEndsTheProcess() async throws {
    let result = try await #require(
      processExitsWith: .signal(SIGTERM), observing: [\.standardErrorContent]
    ) {
      let terminal = try Terminal()
      let console = Console(output: terminal.descriptor, diagnostics: terminal.descriptor) { _ in nil }
      tidyUpOnSignals()
      let time = Clock()
      let bar = ProgressBar("Evaluating", on: console, clock: time.read)
      time.set(2)
      bar.update(0.5)
      // Exit tests start with signals blocked.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_UNBLOCK, &all, nil)
      raise(SIGTERM)
    }
    #expect(result.standardErrorContent.starts(with: "\r\u{1B}[K".utf8))
  }

  @Test func colorCanBeDeclined() throws {
    let terminal = try Terminal()
    Console(output: terminal.descriptor, diagnostics: terminal.descriptor) { $0 == "NO_COLOR" ? "1" : nil }
      .warn("w")
    #expect(terminal.seen() == "Warning: w\r\n")
    Console(output: terminal.descriptor, diagnostics: terminal.descriptor) { _ in nil }.warn("w")
    #expect(terminal.seen() == "\u{1B}[1;33mWarning:\u{1B}[0m w\r\n")
  }

  @Test(arguments: [10, 20, 40, 80, 200]) func keepsOffTheLastColumn(width: Int) {
    for percent in 0...100 {
      let line = ProgressBar.line("Evaluating", fraction: Double(percent) / 100, elapsed: 4000, width: width)
      #expect(line.count < width)
    }
  }

  @Test(arguments: [
    (0.2, "1 s"), (59, "59 s"), (59.5, "1 min 00 s"), (125, "2 min 05 s"), (3840, "1 h 04 min"),
    (Double.infinity, "days"),
  ]) func durations(seconds: Double, expected: String) {
    #expect(ProgressBar.duration(seconds) == expected)
  }
}

/// A clock that is set by hand.
private final class Clock: Sendable {
  private let seconds = Mutex(0.0)
  var read: @Sendable () -> Double { { self.seconds.withLock { $0 } } }
  func set(_ value: Double) { seconds.withLock { $0 = value } }
}
