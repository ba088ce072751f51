import Glibc
import TestSupport
import Testing

@testable import CommandLine

@Suite struct StreamsTests {
  /// Messages never stand among the results, and results never among the messages.
  @Test func resultsGoToStandardOutputAndNothingElseDoes() throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    _ = folder.makeFolder("pictures")
    try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/a.png")
    try folder.copy(fixture: "pictures/rgba_4x3.png", as: "rgba.png")
    for arguments in [
      ["convert", "mosaic_small_3000.pth"], ["inspect", "m.stylemodel", "--graph"],
      ["bench", "m.stylemodel", "--size", "32x32", "--runs", "1"],
      ["eval", "m.stylemodel", "--images", "pictures"], ["--version"], ["help", "convert"],
    ] {
      let result = try folder.tool.run(arguments)
      #expect(result.status == 0 && result.diagnostics == "" && result.output.hasSuffix("\n"), "\(arguments)")
    }
    let stylized = try folder.tool.run(
      "stylize", "m.stylemodel", "pictures/a.png", "-o", "out.png", "--io", "unit")
    #expect(stylized.status == 0 && stylized.output == "")
    #expect(stylized.diagnostics.hasPrefix("m.stylemodel: the pixel contract is as the command line says"))
  }

  @Test func colourIsForTerminalsAndNO_COLORIsObeyed() throws {
    let folder = try TemporaryFolder()
    for (environment, red) in [
      ([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true), (["TERM": "dumb"], false),
    ] {
      let terminal = try Terminal()
      let tool = Tool(folder: folder.path, environment: environment)
      #expect(try tool.run("inspect", "none.pth", diagnostics: terminal.descriptor).status == 66)
      let seen = terminal.seen()
      #expect(seen.contains("none.pth: cannot be opened"))
      #expect(seen.contains("\u{1B}[1;31mError:\u{1B}[0m") == red, "\(environment)")
      #expect(seen.contains("\u{1B}") == red)
    }
    #expect(try folder.tool.run("inspect", "none.pth").diagnostics.hasPrefix("Error: none.pth"))
  }

  /// `stylemodel inspect … | head -1`.
  @Test func aReaderThatHasSeenEnoughIsNoError() throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let result = try folder.tool.run("inspect", "m.stylemodel", "--tensors", output: .descriptor(ends[1]))
    #expect(result.status == 0 && result.diagnostics == "")
  }
}
