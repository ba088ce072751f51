import Diagnostics
import TestSupport
import Testing

@testable import Evaluation

@Suite struct JUnitReportTests {
  private let origin = ReportOrigin(tool: "stylemodel 1")

  @Test func aCaseForEachPictureAndEachGate() throws {
    let report = sampleReport(
      [
        try sampleResult("good", meanSquaredError: 0.1), try sampleResult("bad", meanSquaredError: 900),
        sampleFailure("broken"),
      ], gates: Gates(minPSNR: 30, maxBytes: 2_000_000))
    let root = try MarkupReader.xml(junitReport([report], origin: origin))
    #expect(root.name == "testsuites" && root.attributes["name"] == "stylemodel 1")
    #expect(
      root.attributes["tests"] == "5" && root.attributes["failures"] == "2"
        && root.attributes["errors"] == "1")
    #expect(root.attributes["time"] == "1.500")
    let suite = try #require(root.all("testsuite").first)
    #expect(suite.attributes["name"] == "mosaic.int8.stylemodel" && suite.attributes["tests"] == "5")
    let cases = suite.all("testcase")
    #expect(
      cases.map { $0.attributes["name"] } == [
        "picture good", "picture bad", "picture broken", "gate min-psnr", "gate max-bytes",
      ])
    #expect(cases[0].all("failure").isEmpty && cases[0].all("error").isEmpty)
    #expect(cases[0].all("system-out").first?.text == "PSNR 58.13 dB, SSIM 0.99000")
    #expect(cases[1].all("failure").first?.attributes["message"] == "PSNR at least 30.00 dB: 18.59 dB")
    #expect(cases[2].all("error").first?.text.contains("is a text file, not a picture") == true)
    #expect(cases[3].all("failure").first?.text.contains("18.59 dB on bad") == true)
    #expect(cases[4].all("failure").isEmpty)
  }

  @Test func namesCannotBreakOut() throws {
    let name = "</testcase><failure/>\"&'\u{1}\u{202E}.png"
    let report = sampleReport([try sampleResult(name, meanSquaredError: 4)], name: "<a>.stylemodel")
    let root = try MarkupReader.xml(junitReport([report], origin: origin))
    let test = try #require(root.all("testcase").first)
    #expect(test.attributes["name"] == "picture </testcase><failure/>\"&'\\u{1}\\u{202e}.png")
    #expect(test.attributes["classname"] == "<a>.stylemodel")
    #expect(root.attributes["failures"] == "0" && root.all("failure").isEmpty)
  }

  @Test func nothingEvaluatedIsAnError() throws {
    for text in [
      junitReport([], origin: origin), junitReport([sampleReport([])], origin: origin),
      junitReport([], failures: [StyleModelError(.badInput, file: "a.pth", "is no model")], origin: origin),
    ] {
      let root = try MarkupReader.xml(text)
      #expect(root.attributes["tests"] == "1" && root.attributes["errors"] == "1")
      #expect(root.all("error").count == 1)
    }
  }
}
