import Files
import Glibc
import StyleModelKit
import TestSupport
import Testing

@testable import CommandLine

/// The exit status of `eval`: 1 is a gate that failed, and nothing else is.
@Suite struct EvalGatesTests {
  private let folder: TemporaryFolder

  /// A small network in 8 bits, its source, and one picture.
  init() throws {
    folder = try TemporaryFolder()
    try folder.copy(fixture: "mosaic_small_3000.pth")
    _ = folder.makeFolder("pictures")
    try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/chelsea.png")
    try convert(bits: 8)
  }

  private func convert(bits: Int) throws {
    let made = try capture([
      "convert", folder.path("mosaic_small_3000.pth"), "--bits", "\(bits)", "-o",
      folder.path("int\(bits).stylemodel"),
    ])
    #expect(made.status == 0, "\(made.diagnostics)")
  }

  private func makeBaseline() throws -> String {
    #expect(try eval("int8", "--report", folder.path("old.json")).status == 0)
    return folder.path("old.json")
  }

  private func eval(_ model: String, _ options: String...) throws -> Captured {
    try capture(
      ["eval", folder.path("\(model).stylemodel"), "--images", folder.path("pictures")] + options)
  }

  private static let gates: [([String], Int32)] = [
    (["--min-psnr", "30dB"], 0), (["--min-psnr", "90"], 1), (["--min-ssim", "0.9"], 0),
    (["--min-ssim", "1"], 1), (["--max-bytes", "200000"], 0), (["--max-bytes", "1000"], 1),
    (["--max-ratio", "30%"], 0), (["--max-ratio", "0.1"], 1), (["--min-psnr", "30", "--max-bytes", "1"], 1),
    (["--max-ratio", "-1"], 64), (["--max-drop", "1"], 64), (["--max-growth", "1%"], 64),
  ]

  @Test(arguments: gates) func ofGates(options: [String], status: Int32) throws {
    let result = try capture(
      ["eval", folder.path("int8.stylemodel"), "--images", folder.path("pictures")] + options)
    #expect(result.status == status, "\(result.output)\(result.diagnostics)")
    #expect(result.output.contains("FAILED") == (status == 1))
  }

  @Test func ofABaseline() throws {
    let old = try makeBaseline()
    let kept = try eval("int8", "--baseline", old)
    #expect(kept.status == 0 && kept.output.contains("passed  baseline-psnr"))

    // The same name, another model.
    try convert(bits: 5)
    try replaceFile(folder.path("int8.stylemodel"), with: try readFile(folder.path("int5.stylemodel")))
    let worse = try eval("int8", "--baseline", old, "--report", folder.path("new.json"))
    #expect(worse.status == 1)
    #expect(worse.output.contains("FAILED  baseline-psnr: PSNR drops by 0.00 dB at most: 51."))
    let words = worse.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(words.contains(" dB (-") && words.contains(") on chelsea.png passed baseline-bytes:"))
    #expect(worse.output.contains("passed  baseline-bytes"))
    let json = try JSONValue(parsing: try readFile(folder.path("new.json"))[...])
    #expect(json["passed"]?.bool == false)
    #expect(
      try eval("int8", "--baseline", old, "--max-drop", "40dB").status == 0)
  }

  @Test(arguments: [
    ("{}", 65 as Int32), ("not JSON", 65), (#"{"schema": "stylemodel-report-9", "models": []}"#, 65),
    (#"{"schema": "stylemodel-report-1", "models": []}"#, 65),
  ]) func ofAnUnusableBaseline(text: String, status: Int32) throws {
    let path = try folder.write(text.utf8, as: "bad.json")
    let result = try eval("int8", "--baseline", path)
    #expect(
      result.status == status && result.diagnostics.hasPrefix("Error: \(path): "), "\(result.diagnostics)")
  }

  @Test func ofAMissingBaselineOrModelOrPicture() throws {
    #expect(try eval("int8", "--baseline", folder.path("none.json")).status == 66)
    let old = try makeBaseline()
    try convert(bits: 5)
    // The same source under another name is compared; a model of another source is not in the baseline.
    #expect(try eval("int5", "--baseline", old).status == 1)
    let report = String(decoding: try readFile(old), as: UTF8.self)
    let source = hexadecimal(sha256(try readFile(folder.path("mosaic_small_3000.pth"))))
    #expect(report.contains(source))
    let foreign = try folder.write(
      report.split(separator: source).joined(separator: String(source.reversed())).utf8, as: "foreign.json")
    #expect(try eval("int5", "--baseline", foreign).status == 65)
    try folder.copy(fixture: "noise_96x64.png", as: "pictures/noise.png")
    let result = try eval("int8", "--baseline", old)
    #expect(result.status == 65 && result.diagnostics.contains("has no picture 'noise.png'"))
  }

  /// A bad model beside a gate that fails: the worse of the two is what the process says.
  @Test func ofABadInputBesideAFailedGate() throws {
    try folder.write("no model".utf8, as: "bad.stylemodel")
    let result = try capture([
      "eval", folder.path("bad.stylemodel"), folder.path("int8.stylemodel"), "--images",
      folder.path("pictures"),
      "--min-psnr", "90", "--report", folder.path("both.json"),
    ])
    #expect(result.status == 65 && result.output.contains("FAILED  min-psnr"))
    let json = try JSONValue(parsing: try readFile(folder.path("both.json"))[...])
    #expect(json["passed"]?.bool == false && json["failures"]?.items?.count == 1)
  }

  @Test func flickerIsANumberInEveryReport() throws {
    let result = try eval(
      "int8", "--temporal", "--report", folder.path("t.json"), "--report", folder.path("t.md"))
    #expect(result.status == 0 && result.output.contains("  worst flicker  "))
    let json = try JSONValue(parsing: try readFile(folder.path("t.json"))[...])
    let extra = try #require(json["models"]?.items?.first?["temporal"]?["worst_extra_db"]?.number)
    #expect(abs(extra) < 3)
    #expect(
      String(decoding: try readFile(folder.path("t.md")), as: UTF8.self).contains("| chelsea.png | shift |"))
  }
}
