import Files
import Glibc
import TestSupport
import Testing

@testable import CommandLine

/// Nothing that the user already had is lost, whatever happens.
@Suite struct OutputSafetyTests {
  /// By its own name, by another one, through a link of either kind.
  @Test(arguments: [
    "m.stylemodel", "./m.stylemodel", "link.stylemodel", "hard.stylemodel", "sub/../m.stylemodel",
  ])
  func anInputIsNeverTheOutput(output: String) throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    _ = folder.makeFolder("sub")
    symlink("m.stylemodel", folder.path("link.stylemodel"))
    link(folder.path("m.stylemodel"), folder.path("hard.stylemodel"))
    let before = try readFile(folder.path("m.stylemodel"))
    let result = try folder.tool.run("convert", "m.stylemodel", "--bits", "4", "-o", output)
    #expect(result.status == 64)
    #expect(result.diagnostics.contains("\(output): is the input "))
    #expect(result.diagnostics.contains("itself, which would be lost; name another output with -o"))
    #expect(try readFile(folder.path("m.stylemodel")) == before)
  }

  @Test func anExistingOutputSurvivesAFailure() throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    let before = try readFile(folder.path("m.stylemodel"))
    try folder.copy(fixture: "hostile/truncated.pth")
    try folder.write("a picture of mine".utf8, as: "out.png")
    let names = folder.names
    #expect(try folder.tool.run("convert", "truncated.pth", "-o", "m.stylemodel").status == 65)
    #expect(
      try folder.tool.run("convert", "mosaic_small_3000.pth", "--keep", "nothing", "-o", "m.stylemodel")
        .status == 64)
    #expect(try folder.tool.run("stylize", "m.stylemodel", "truncated.pth", "-o", "out.png").status == 65)
    #expect(try readFile(folder.path("m.stylemodel")) == before)
    #expect(try readFile(folder.path("out.png")) == Array("a picture of mine".utf8))
    #expect(folder.names == names, "and no half of a file is left behind")
  }

  @Test func anExistingOutputIsReplacedThroughItsLink() throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    _ = folder.makeFolder("store")
    try folder.write([1, 2, 3], as: "store/real.stylemodel")
    symlink("store/real.stylemodel", folder.path("link.stylemodel"))
    #expect(try folder.tool.run("convert", "mosaic_small_3000.pth", "-o", "link.stylemodel").status == 0)
    #expect(try readFile(folder.path("store/real.stylemodel")) == readFile(folder.path("m.stylemodel")))
  }

  /// The pictures' own folder as the output would replace each by its result.
  @Test(arguments: [".", "./", "photos/.."]) func picturesAreNotReplacedByTheirResults(output: String) throws
  {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    _ = folder.makeFolder("photos")
    try folder.copy(fixture: "chelsea_96x64.png", as: "a.png")
    try folder.copy(fixture: "coffee_131x97.png", as: "b.png")
    let before = try readFile(folder.path("a.png"))
    let result = try folder.tool.run("stylize", "m.stylemodel", "a.png", "b.png", "-o", output)
    #expect(result.status == 64)
    #expect(result.diagnostics.contains("a.png: is the input 'a.png' itself"), "\(result.diagnostics)")
    #expect(try readFile(folder.path("a.png")) == before)
    let one = try folder.tool.run("stylize", "m.stylemodel", "a.png", "-o", "a.png")
    #expect(one.status == 64 && one.diagnostics.contains("a.png: is the input itself"))
    #expect(try readFile(folder.path("a.png")) == before)
  }
}
