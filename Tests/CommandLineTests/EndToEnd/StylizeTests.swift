import Files
import Imaging
import TestSupport
import Testing

@testable import CommandLine

@Suite struct StylizeTests {
  @Test func onePictureThatFailsDoesNotStopTheOthers() throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    try folder.copy(fixture: "chelsea_96x64.png", as: "a.png")
    try folder.write("no picture".utf8, as: "bad.png")
    try folder.copy(fixture: "coffee_131x97.png", as: "z.png")
    let result = try folder.tool.run(
      "stylize", "m.stylemodel", "a.png", "bad.png", "gone.jpg", "z.png", "-o", "out")
    #expect(result.status == 66, "the greatest of the statuses")
    #expect(result.output == "")
    let lines = result.diagnostics.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("Error: bad.png: is "))
    #expect(lines[1].hasPrefix("Error: gone.jpg: cannot be opened"))
    #expect(lines[2] == "2 of 4 pictures failed; the others are done.")
    #expect(try listFolder(folder.path("out")) == ["a.png", "z.png"])
    #expect(try readPicture(folder.path("out/z.png")).picture.width == 131)

    let bad = try folder.tool.run("stylize", "m.stylemodel", "a.png", "bad.png", "-o", "out/")
    #expect(bad.status == 65)
    let none = try folder.tool.run("stylize", "m.stylemodel", "bad.png", "gone.png", "-o", "new")
    #expect(none.status == 66 && none.diagnostics.hasSuffix("2 of 2 pictures failed.\n"))
  }

  /// Many at once give what each gives alone, whatever the sizes before it were.
  @Test func picturesOfSeveralSizesDoNotDisturbEachOther() throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    let names = ["chelsea_96x64", "coffee_131x97", "flat_64x64"]
    for name in names { try folder.copy(fixture: name + ".png") }
    let files = names.map { $0 + ".png" }
    #expect(try folder.tool.run(["stylize", "m.stylemodel"] + files + ["-o", "many"]).status == 0)
    for name in names {
      #expect(
        try folder.tool.run("stylize", "m.stylemodel", name + ".png", "-o", name + ".one.png").status == 0)
      #expect(try readFile(folder.path("many/\(name).png")) == readFile(folder.path(name + ".one.png")))
    }
  }

  @Test(arguments: [
    "a b.png", "ünïcødé 🐈.png", "-dash.png", "two\nlines.png", "quote\"'.png", "dots.in.name.png",
  ])
  func anyNameWillDo(name: String) throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    try folder.copy(fixture: "chelsea_96x64.png", as: name)
    let result = try folder.tool.run("stylize", "-o", "out/", "m.stylemodel", "--", name)
    #expect(result.status == 0 && result.diagnostics == "")
    #expect(try listFolder(folder.path("out")) == [name])
    // Where it is told, it cannot spoil the terminal or be taken for another line.
    try folder.write("no picture".utf8, as: name)
    let bad = try folder.tool.run("stylize", "-o", "out/", "m.stylemodel", "--", name)
    #expect(bad.status == 65 && bad.diagnostics.filter { $0 == "\n" }.count == 1)
    #expect(bad.diagnostics.hasPrefix("Error: " + name.split(separator: "\n")[0]))
  }

  /// Each of them becomes a picture of its own size, and what was changed about it is said once.
  @Test(arguments: [
    ("pictures/turned_3x4.png", "too small"), ("pictures/grey_16x16.jpg", ""),
    ("pictures/cmyk_adobe_8x8.jpg", "CMYK"),
    ("pictures/interlaced_9x7.png", ""), ("pictures/orientation_6.jpg", ""), ("noise_96x64.png", ""),
  ])
  func takesPicturesOfManyKinds(name: String, word: String) throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    let result = try folder.tool.run("stylize", "m.stylemodel", fixturePath(name), "-o", "out.npy")
    #expect(result.diagnostics.contains(word), "\(result.diagnostics)")
    guard result.status == 0 else {
      #expect(result.status == 65 && result.diagnostics.contains(name))
      return
    }
    let given = try readPicture(fixturePath(name)).picture
    let made = try readPicture(folder.path("out.npy")).picture
    #expect(made.width == given.width && made.height == given.height)
  }

  @Test func theOutputsNameSaysItsFormat() throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    try folder.copy(fixture: "chelsea_96x64.png", as: "a.png")
    for name in ["out.png", "out.JPG", "out.npy"] {
      #expect(try folder.tool.run("stylize", "m.stylemodel", "a.png", "-o", name).status == 0)
    }
    let exact = try readPicture(folder.path("out.npy")).picture
    let rounded = try readPicture(folder.path("out.png")).picture
    #expect(exact.samples.contains { $0 < 0 || $0 > 255 }, "an array is neither clamped nor rounded")
    for (value, pixel) in zip(exact.samples, rounded.samples) {
      #expect(abs(min(max(value, 0), 255) - pixel) <= 0.5)
    }
    #expect(try readFile(folder.path("out.JPG")).starts(with: [0xFF, 0xD8]))
  }
}
