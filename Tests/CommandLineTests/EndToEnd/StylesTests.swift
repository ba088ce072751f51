import Files
import Imaging
import TestSupport
import Testing

@testable import CommandLine

/// A model of three styles, as Turi Create wrote it.
@Suite struct StylesTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: "coreml/turi_narrow.mlmodel", as: "turi.mlmodel")
    try folder.copy(fixture: "chelsea_96x64.png", as: "a.png")
    return folder
  }

  @Test func theStylesAreListed() throws {
    let folder = try folder()
    let result = try folder.tool.run("inspect", "turi.mlmodel")
    #expect(result.status == 0)
    #expect(result.output.contains("3 styles, chosen by 'index': 0, 1, 2"))
  }

  /// Whatever makes a picture asks for a style, with the count; a table alone is converted as it is.
  @Test(arguments: [
    ["stylize", "turi.mlmodel", "a.png", "-o", "out.png"],
    ["eval", "turi.mlmodel", "--against", "turi.mlmodel"],
    ["convert", "turi.mlmodel", "-o", "out.stylemodel", "--eval"],
  ])
  func withoutAChoiceTheCountIsSaid(arguments: [String]) throws {
    let folder = try folder()
    let result = try folder.tool.run(arguments)
    #expect(result.status == 64)
    #expect(result.diagnostics.contains("turi.mlmodel: has 3 styles"))
    #expect(result.diagnostics.contains("--style K"))
    #expect(folder.names == ["a.png", "turi.mlmodel"], "nothing was written")
  }

  @Test(arguments: [
    (["--style", "3"], "has no style '3'"), (["--blend", "0:0.5,0:0.5"], "stands twice"),
    (["--blend", "half"], "--blend wants styles with their weights"),
    (["--style", "0", "--all-styles"], "--all-styles"),
  ])
  func aWrongChoiceIsNamed(choice: [String], message: String) throws {
    let folder = try folder()
    let result = try folder.tool.run(["stylize", "turi.mlmodel", "a.png", "-o", "out.png"] + choice)
    #expect(result.status == 64)
    #expect(result.diagnostics.contains(message), "\(result.diagnostics)")
  }

  @Test func everyStyleIsAPictureOfItsName() throws {
    let folder = try folder()
    #expect(
      try folder.tool.run("stylize", "turi.mlmodel", "a.png", "-o", "out.npy", "--all-styles").status == 0)
    let names = (0..<3).map { "out.style\($0).npy" }
    #expect(folder.names.filter { $0.hasPrefix("out") } == names)
    let pictures = try names.map { try readPicture(folder.path($0)).picture.samples }
    #expect(pictures[0] != pictures[1] && pictures[1] != pictures[2])
    for style in 0..<3 {
      #expect(
        try folder.tool.run("stylize", "turi.mlmodel", "a.png", "-o", "one.npy", "--style", "\(style)").status
          == 0)
      #expect(try readPicture(folder.path("one.npy")).picture.samples == pictures[style])
    }
    #expect(
      try folder.tool.run("stylize", "turi.mlmodel", "a.png", "-o", "mix.npy", "--blend", "0:0.5,2:0.5")
        .status == 0)
    #expect(try readPicture(folder.path("mix.npy")).picture.samples != pictures[0])
  }

  /// A table that stays keeps its styles through every conversion; a choice folds one, and is remembered.
  @Test func conversionKeepsTheTableOrFoldsOneStyle() throws {
    let folder = try folder()
    #expect(try folder.tool.run("convert", "turi.mlmodel", "--fp32", "-o", "all.stylemodel").status == 0)
    #expect(try folder.tool.run("convert", "all.stylemodel", "--fp32", "-o", "again.mlmodel").status == 0)
    #expect(
      try folder.tool.run("convert", "turi.mlmodel", "--fp32", "--style", "1", "-o", "one.stylemodel").status
        == 0)
    #expect(try folder.tool.run("inspect", "again.mlmodel").output.contains("3 styles"))
    #expect(try !folder.tool.run("inspect", "one.stylemodel").output.contains("3 styles"))
    var pictures: [[Float]] = []
    for (model, choice) in [
      ("turi.mlmodel", ["--style", "1"]), ("all.stylemodel", ["--style", "1"]),
      ("again.mlmodel", ["--style", "1"]),
      ("one.stylemodel", []),
    ] {
      #expect(try folder.tool.run(["stylize", model, "a.png", "-o", "p.npy"] + choice).status == 0)
      pictures.append(try readPicture(folder.path("p.npy")).picture.samples)
    }
    for picture in pictures {
      #expect(zip(picture, pictures[0]).allSatisfy { abs($0 - $1) < 0.01 })
    }
    let evaluation = try folder.tool.run("eval", "one.stylemodel", "all.stylemodel", "--all-styles")
    #expect(evaluation.status == 0, "\(evaluation.diagnostics)")
    #expect(evaluation.output.contains("all.stylemodel, style 2"))
  }
}
