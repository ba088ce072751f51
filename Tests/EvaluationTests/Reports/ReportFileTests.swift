import Diagnostics
import TestSupport
import Testing

@testable import Evaluation

@Suite struct ReportFileTests {
  @Test(arguments: [
    ("a.json", ReportFormat.json), ("a.b/c.JSON", .json), ("report.md", .markdown), (".md", .markdown),
  ]) func theNameSaysTheFormat(path: String, format: ReportFormat) throws {
    #expect(try ReportFormat(path: path) == format)
  }

  @Test(arguments: ["report", "report.txt", "json", "a.md/report", "a."]) func otherNamesAreRefused(
    path: String
  ) {
    let error = #expect(throws: StyleModelError.self) { try ReportFormat(path: path) }
    #expect(error?.kind == .usage && error?.file == path)
  }

  @Test func aRunHasPassedWhenEveryModelHas() throws {
    let good = sampleReport([try sampleResult("a", meanSquaredError: 1)])
    let bad = sampleReport([sampleFailure("a")])
    let lost = StyleModelError(.cannotOpen, file: "gone.stylemodel", "cannot be opened")
    for (reports, failures, passed) in [
      ([good], [], true), ([good, good], [], true), ([good, bad], [], false), ([], [], false),
      ([good], [lost], false), ([], [lost], false),
    ] as [([EvaluationReport], [StyleModelError], Bool)] {
      let text = ReportFormat.json.text(reports, failures: failures, tool: "stylemodel 1")
      let json = try readJSON(text)
      #expect(text.hasSuffix("}\n"))
      #expect(json.keys == ["schema", "tool", "passed", "models", "failures"])
      #expect(json.at("schema") == "stylemodel-report-1" && json.at("tool") == "stylemodel 1")
      #expect(json.at("passed") == .bool(passed))
      #expect(json.at("models", String(reports.count)) == nil)
      #expect((json.at("failures", "0", "file") == "gone.stylemodel") == !failures.isEmpty)
    }
  }

  @Test func aModelThatIsMissingIsInTheMarkdown() throws {
    let good = sampleReport([try sampleResult("a", meanSquaredError: 1)])
    let lost = StyleModelError(
      .cannotOpen, file: "gone|x.stylemodel", "cannot be opened", remedy: "check the name")
    let text = ReportFormat.markdown.text([good], failures: [lost], tool: "stylemodel 1")
    #expect(text.hasPrefix("### mosaic.int8.stylemodel against mosaic\\_4000.pth\n"))
    #expect(text.hasSuffix("\n\n### gone\\|x.stylemodel\n\n**Failed**: cannot be opened; check the name\n"))
  }
}
