import Diagnostics
import Glibc
import Testing

@testable import CommandLine

@Suite struct ConsoleTests {
  @Test func resultsAndMessagesGoTheirOwnWays() throws {
    let output = try Scratch()
    let diagnostics = try Scratch()
    let console = Console(output: output.descriptor, diagnostics: diagnostics.descriptor)
    console.print("a result")
    console.note("a note")
    console.warn("careful")
    console.fail(
      StyleModelError(.badInput, file: "x.pth", place: "byte 7", "is cut off", remedy: "fetch it again"))
    console.fail(StyleModelError(.usage, "unknown option"))
    try console.finish()
    #expect(output.text() == "a result\n")
    #expect(
      diagnostics.text() == """
        a note
        Warning: careful
        Error: x.pth: byte 7: is cut off; fetch it again
        Error: Unknown option

        """)
  }

  @Test func resultsComeBeforeTheMessagesThatFollowThem() throws {
    let both = try Scratch()
    let console = Console(output: both.descriptor, diagnostics: both.descriptor)
    console.print("first")
    console.note("second")
    console.print("third")
    try console.finish()
    #expect(both.text() == "first\nsecond\nthird\n")
  }

  @Test func aFullDiskIsAnError() throws {
    let full = open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    let diagnostics = try Scratch()
    let console = Console(output: full, diagnostics: diagnostics.descriptor)
    #expect(run(["--help"], of: rootCommand, on: console) == 74)
    #expect(
      diagnostics.text()
        == "Error: standard output: cannot be written (No space left on device); make room on the disk\n")
  }

  @Test func aReaderThatHasSeenEnoughIsNone() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let diagnostics = try Scratch()
    let console = Console(output: ends[1], diagnostics: diagnostics.descriptor)
    #expect(run(["--help"], of: rootCommand, on: console) == 0)
    #expect(diagnostics.text().isEmpty)
  }

  @Test func aBodysErrorsAndStatusComeOut() throws {
    func command(_ body: @escaping CommandBody) -> CommandSpec { CommandSpec("c", overview: "", body: body) }
    let gate = try capture(
      [],
      of: command { _, console throws(StyleModelError) in
        console.print("28 dB")
        return 1
      })
    #expect(gate == Captured(status: 1, output: "28 dB\n", diagnostics: ""))
    let fault = try capture(
      [],
      of: command { _, _ throws(StyleModelError) in
        throw StyleModelError(.internalFault, "the plan has a hole")
      })
    #expect(fault.status == 70)
    #expect(fault.diagnostics.hasPrefix("Error: The plan has a hole\n"))
    #expect(fault.diagnostics.contains("report"))
  }
}
