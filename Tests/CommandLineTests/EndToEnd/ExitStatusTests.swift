import Files
import Glibc
import TestSupport
import Testing

@testable import CommandLine

/// Each status by a real case; the message is on standard error and names what is wrong.
@Suite struct ExitStatusTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    _ = folder.makeFolder("pictures")
    try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/chelsea.png")
    return folder
  }

  private func expect(
    _ result: Captured, _ status: Int32, _ message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(result.status == status, sourceLocation: sourceLocation)
    #expect(
      result.diagnostics.contains(message), "\(result.output)\(result.diagnostics)",
      sourceLocation: sourceLocation)
  }

  @Test func oneIsAGateThatFailedOrAnOutputThatIsNotFinite() throws {
    let folder = try folder()
    let tool = folder.tool
    let gate = try tool.run("eval", "m.stylemodel", "--images", "pictures", "--min-psnr", "200")
    #expect(gate.status == 1 && gate.diagnostics == "")
    #expect(gate.output.contains("FAILED  min-psnr: PSNR at least 200.00 dB"))
    #expect(try tool.run("eval", "m.stylemodel", "--images", "pictures", "--max-bytes", "1000").status == 1)
    #expect(try tool.run("eval", "m.stylemodel", "--images", "pictures", "--min-psnr", "20").status == 0)

    let picture = "pictures/chelsea.png"
    let infinite = try tool.run("stylize", "m.stylemodel", picture, "-o", "out.png", "--output-scale", "3e38")
    expect(infinite, 1, "Error: pictures/chelsea.png: becomes ")
    #expect(infinite.output == "" && !folder.names.contains("out.png"))
    expect(
      try tool.run(
        "convert", "mosaic_small_3000.pth", "-o", "big.stylemodel", "--output-scale", "3e38", "--eval",
        "--images",
        "pictures"), 1, "")
  }

  @Test(
    arguments: [
      (["konvert"], "Unknown command 'konvert'; did you mean 'convert'?"),
      (["convert"], "Missing argument 'INPUT'"),
      (["convert", "mosaic_small_3000.pth", "--int9"], "Unknown option '--int9'; did you mean '--int8'?"),
      (
        ["convert", "mosaic_small_3000.pth", "--bits", "9"],
        "--bits wants a whole number from 2 to 8, not '9'"
      ),
      (["convert", "mosaic_small_3000.pth", "--int8", "--fp16"], "exclude each other"),
      (["convert", "mosaic_small_3000.pth", "--fp16", "--affine"], "--affine says how integers are scaled"),
      (
        ["convert", "mosaic_small_3000.pth", "-o", "x.mlmodl"], "x.mlmodl: is not a name that says what kind"
      ),
      (
        ["convert", "mosaic_small_3000.pth", "--keep", "model.0.block.1.wight"],
        "did you mean 'model.0.block.1.weight'?"
      ),
      (["stylize", "m.stylemodel", "pictures/chelsea.png"], "Missing option"),
      (
        ["stylize", "m.stylemodel", "pictures/chelsea.png", "-o", "x.gif"],
        "x.gif: is not a name that says what kind"
      ),
      (["stylize", "m.stylemodel", "a/x.png", "b/x.png", "-o", "out"], "would both become 'out/x.png'"),
      (
        ["stylize", "m.stylemodel", "a.png", "b.png", "-o", "m.stylemodel"],
        "is a file, but 2 pictures want a folder"
      ),
      (["eval", "--report", "x.pdf"], "x.pdf: is not a name that says what kind of report"),
      (
        ["stylize", "m.stylemodel", "pictures/chelsea.png", "-o", "x.png", "--output-scale", "1e39"],
        "--output-scale wants"
      ),
      (["bench", "m.stylemodel", "--size", "0x5"], "--size wants a size such as 640x960"),
    ] as [([String], String)])
  func sixtyFourIsTheCommandLine(words: [String], message: String) throws {
    let folder = try folder()
    let names = folder.names
    let result = try folder.tool.run(words)
    expect(result, 64, message)
    #expect(result.output == "")
    #expect(folder.names == names, "nothing was written")
  }

  @Test(
    arguments: [
      (["convert", "pictures/chelsea.png"], "pictures/chelsea.png: is a PNG image, not a model"),
      (["convert", "page.pth"], "page.pth: is an HTML page"),
      (["convert", "cut.pth"], "cut.pth: is a truncated zip: end record missing"),
      (["convert", "unknown.pth"], "unknown.pth: tensor"),
      (["inspect", "empty"], "empty: is an empty file"),
      (["stylize", "m.stylemodel", "page.pth", "-o", "x.png"], "page.pth: is "),
      (["eval", "m.stylemodel", "--images", "nothing"], "nothing: holds no picture; put"),
      (["eval", "mosaic_small_3000.pth"], "was not made by 'stylemodel convert'"),
      (["bench", "m.stylemodel", "--size", "4x4"], "m.stylemodel: "),
      (["convert", "mosaic_small_3000.pth", "--state-key", "generator"], "generator"),
    ] as [([String], String)])
  func sixtyFiveIsABadInput(words: [String], message: String) throws {
    let folder = try folder()
    try folder.copy(fixture: "hostile/page.html.pth", as: "page.pth")
    try folder.copy(fixture: "hostile/truncated.pth", as: "cut.pth")
    try folder.copy(fixture: "hostile/empty.pth", as: "empty")
    try folder.copy(fixture: "torch/state_dict.pth", as: "unknown.pth")
    _ = folder.makeFolder("nothing")
    let names = folder.names
    let result = try folder.tool.run(words)
    expect(result, 65, message)
    #expect(result.output == "" && folder.names == names)
  }

  @Test(
    arguments: [
      (["convert", "none.pth"], "none.pth: cannot be opened (No such file or directory); check the name"),
      (["convert", "pictures"], "pictures: is a folder, not a file; name a file in it"),
      (["inspect", "/dev/zero"], "/dev/zero: is not a regular file"),
      (["stylize", "m.stylemodel", "none.png", "-o", "x.png"], "none.png: cannot be opened"),
      (["eval", "m.stylemodel", "--images", "none"], "none: cannot be listed"),
      (["eval", "m.stylemodel", "--against", "none.pth"], "none.pth: cannot be opened"),
      (["eval", "m.stylemodel", "--source", "none.pth"], "none.pth: cannot be opened"),
      (["convert", "mosaic_small_3000.pth", "--arch", "none.recipe"], "none.recipe: cannot be opened"),
    ] as [([String], String)])
  func sixtySixIsAnInputThatCannotBeOpened(words: [String], message: String) throws {
    let folder = try folder()
    let names = folder.names
    let result = try folder.tool.run(words)
    expect(result, 66, message)
    #expect(result.output == "" && folder.names == names)
  }

  @Test(
    arguments: [
      (
        ["convert", "mosaic_small_3000.pth", "-o", "none/x.stylemodel"],
        "none/x.stylemodel: cannot be created"
      ),
      (
        ["convert", "mosaic_small_3000.pth", "-o", "m.stylemodel/x.stylemodel"],
        "m.stylemodel/x.stylemodel: cannot"
      ),
      (["convert", "mosaic_small_3000.pth", "-o", "folder.stylemodel"], "folder.stylemodel: is a folder"),
      (
        ["stylize", "m.stylemodel", "pictures/chelsea.png", "-o", "none/x.png"],
        "none/x.png: cannot be created"
      ),
      (
        ["stylize", "m.stylemodel", "pictures/chelsea.png", "-o", "none/deep/"],
        "none/deep/: cannot be created"
      ),
      (
        ["eval", "m.stylemodel", "--images", "pictures", "--report", "none/x.json"],
        "none/x.json: cannot be created"
      ),
    ] as [([String], String)])
  func seventyThreeIsAnOutputThatCannotBeCreated(words: [String], message: String) throws {
    let folder = try folder()
    _ = folder.makeFolder("folder.stylemodel")
    let names = folder.names
    expect(try folder.tool.run(words), 73, message)
    #expect(folder.names == names)
  }

  @Test(.enabled("root may write anywhere") { geteuid() != 0 }) func aReadOnlyFolderIsOne() throws {
    let folder = try folder()
    chmod(folder.makeFolder("sealed"), 0o555)
    expect(
      try folder.tool.run("convert", "mosaic_small_3000.pth", "-o", "sealed/x.stylemodel"), 73,
      "sealed/x.stylemodel: cannot be created (Permission denied); check that the folder exists and can be written to"
    )
  }

  /// Results that nobody can read are not done.
  @Test func seventyFourIsAnOutputThatCannotBeWritten() throws {
    let folder = try folder()
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    expect(
      try folder.tool.run("inspect", "m.stylemodel", output: .descriptor(full)), 74,
      "Error: standard output: cannot be written (No space left on device)")
    let closed = try folder.tool.run(
      "convert", "mosaic_small_3000.pth", "-o", "c.stylemodel", output: .closed)
    expect(closed, 74, "Error: standard output: cannot be written")
    #expect(try readFile(folder.path("c.stylemodel")) == readFile(folder.path("m.stylemodel")))
  }
}
