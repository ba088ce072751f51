import Diagnostics
import TestSupport
import Testing

@testable import Evaluation

@Suite struct JSONReportTests {
  private func read(_ report: EvaluationReport) throws -> JSONValue {
    try readJSON(report.json.text(indented: true))
  }

  @Test func holdsEveryFigure() throws {
    let json = try read(
      sampleReport(
        [
          try sampleResult("a \"quoted\"\nname", meanSquaredError: 100, ssim: 0.9, window: 9, size: "9x200"),
          sampleFailure("broken.png"),
        ], gates: Gates(minSSIM: 0.5), notes: ["a note"]))
    #expect(
      json.keys == [
        "model", "against", "passed", "compute", "first_overflow", "worst", "psnr_of_mean_squared_error_db",
        "identical", "temporal",
        "pictures", "gates", "sizes", "source_bytes", "layers", "rounded", "definition", "notes",
      ])
    #expect(json.at("model", "name") == "mosaic.int8.stylemodel")
    #expect(json.at("model", "storage") == "int8")
    #expect(json.at("model", "bytes") == 1_554_321)
    #expect(json.at("against", "sha256") == .string(String(repeating: "cd", count: 32)))
    #expect(json.at("passed") == false)
    #expect(json.at("worst", "psnr_picture") == "a \"quoted\"\nname")
    #expect(json.at("worst", "ssim") == 0.9)
    #expect(
      json.at("pictures", "0") == [
        "name": "a \"quoted\"\nname", "size": "9x200", "sha256": .null,
        "psnr_db": .number(peakSignalToNoise(meanSquaredError: 100)), "identical": false,
        "mean_squared_error": 100.0, "ssim": 0.9, "ssim_window": 9, "temporal": .null, "seconds": 0.25,
        "reference_seconds": 0.5,
      ])
    #expect(json.at("pictures", "1")?.keys == ["name", "size", "sha256", "error"])
    #expect(
      json.at("pictures", "1", "error")
        == "broken.png: is a text file, not a picture that can be read; give a PNG")
    #expect(json.at("gates", "0", "gate") == "min-ssim")
    #expect(json.at("gates", "0", "passed") == false, "since a picture failed")
    #expect(json.at("rounded") == false)
    #expect(json.at("notes", "0") == "a note")
  }

  @Test func theSizesAddUpToTheFile() throws {
    let json = try read(sampleReport([try sampleResult("a", meanSquaredError: 1)]))
    guard case .array(let lines) = json.at("sizes") else {
      Issue.record("no sizes")
      return
    }
    let total = lines.reduce(0) { sum, line in
      if case .integer(let bytes) = line.at("bytes") { sum + bytes } else { sum }
    }
    #expect(json.at("model", "bytes") == .integer(total))
  }

  /// JSON has no infinity.
  @Test func identicalPicturesHaveNoDecibels() throws {
    let json = try read(sampleReport([try sampleResult("a", meanSquaredError: 0, ssim: 1)]))
    #expect(json.at("pictures", "0", "psnr_db") == .null)
    #expect(json.at("pictures", "0", "identical") == true)
    #expect(json.at("worst", "psnr_db") == .null)
    #expect(json.at("psnr_of_mean_squared_error_db") == .null)
    #expect(json.at("identical") == true && json.at("passed") == true)
    let mixed = try read(
      sampleReport([try sampleResult("a", meanSquaredError: 0), try sampleResult("b", meanSquaredError: 1)]))
    #expect(mixed.at("identical") == false)
    #expect(mixed.at("pictures", "0", "psnr_db") == .null && mixed.at("worst", "psnr_picture") == "b")
  }

  @Test func nothingEvaluatedIsNotIdentical() throws {
    let json = try read(sampleReport([]))
    #expect(json.at("identical") == false && json.at("passed") == false)
    #expect(json.at("worst", "psnr_db") == .null && json.at("psnr_of_mean_squared_error_db") == .null)
  }

  @Test func aFolderOfPicturesHasNoBytes() throws {
    var report = sampleReport([try sampleResult("a", meanSquaredError: 1)])
    report.reference = EvaluationReport.Subject(name: "golden", storage: "pictures", byteCount: 0, sha256: "")
    let json = try read(report)
    #expect(json.at("against", "bytes") == .null && json.at("against", "sha256") == .null)
  }
}
