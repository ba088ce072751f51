import Diagnostics
import Files
import TestSupport
import Testing

@testable import CommandLine

@Suite struct ReportFilesTests {
  private func text(_ path: String) throws -> String { String(decoding: try readFile(path), as: UTF8.self) }

  @Test func aPageAndJUnitOfAGateThatFailed() throws {
    let folder = try TemporaryFolder()
    try folder.convertedMosaic()
    _ = folder.makeFolder("pictures")
    try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/a <b>.png")
    try folder.copy(fixture: "noise_96x64.png", as: "pictures/noise.png")
    let result = try folder.tool.run(
      "eval", "m.stylemodel", "--images", "pictures", "--min-psnr", "200", "--report", "r.html", "--report",
      "r.xml")
    #expect(result.status == 1 && result.diagnostics == "")
    let source = try text(folder.path("r.html"))
    let page = try MarkupReader.html(source)
    #expect(page.all("article").count == 2 && page.all("img").count == 8)
    #expect(page.all("h3").map(\.text).contains("a <b>.png"))
    #expect(page.text.contains("✗ Failed") && page.text.contains("1 gate of 1 did not hold."))
    #expect(
      page.all("code").last?.text
        == "stylemodel eval m.stylemodel --images pictures --min-psnr 200")
    // The bytes in the table are those of the file.
    let total = page.all("tfoot").first?.all("td").dropLast().last?.text
    #expect(total == grouped(try readFile(folder.path("m.stylemodel")).count))
    #expect(page.all("table").count == 3 && source.utf8.count < 1_000_000)
    let junit = try MarkupReader.xml(try text(folder.path("r.xml")))
    #expect(junit.attributes["tests"] == "3" && junit.attributes["failures"] == "3")
    #expect(junit.all("testcase").first?.attributes["name"] == "picture a <b>.png")
  }

  @Test func aSweepInEveryFormat() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: "mosaic_small_3000.pth", as: "mosaic_small_3000.pth")
    _ = folder.makeFolder("pictures")
    try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/chelsea.png")
    let formats = ["csv", "svg", "html", "json", "md", "xml"]
    let result = try folder.tool.run(
      ["sweep", "mosaic_small_3000.pth", "--schemes", "int8,int4", "--images", "pictures"]
        + formats.flatMap { ["--report", "s." + $0] })
    #expect(result.status == 0 && result.diagnostics == "")
    #expect(result.output.hasPrefix("mosaic_small_3000.pth (fp32), 454,609 bytes\n"))
    #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let lines = try text(folder.path("s.csv")).split(separator: "\r\n")
    #expect(lines.count == 3 && lines[1].hasPrefix("mosaic_small_3000.pth,int8,"))
    #expect(try MarkupReader.xml(text(folder.path("s.svg"))).name == "svg")
    #expect(try MarkupReader.html(text(folder.path("s.html"))).all("svg").count == 1)
    let json = try readJSON(text(folder.path("s.json")))
    #expect(
      json.at("complete") == true && json.at("models", "0", "points", "1", "model", "storage") == "int4")
    #expect(try text(folder.path("s.md")).contains("| int4 | "))
    #expect(try MarkupReader.xml(text(folder.path("s.xml"))).all("testsuite").count == 2)
    let unknown = try folder.tool.run("sweep", "mosaic_small_3000.pth", "--report", "s.txt")
    #expect(
      unknown.status == 64 && unknown.diagnostics.contains("end it in .json, .md, .xml, .csv, .svg or .html"))
  }
}
