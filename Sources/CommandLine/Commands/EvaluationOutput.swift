import Diagnostics
import Evaluation
import Files

/// What `eval` prints and writes, wherever the figures were measured.
struct EvaluationOutput {
  private let files: [(path: String, format: ReportFormat)]
  private let printsJSON: Bool
  private let origin: ReportOrigin
  private let console: Console
  private var reports: [EvaluationReport] = []
  private var failures: [StyleModelError] = []
  private var status: Int32 = 0

  /// Whether a page is among the reports.
  var hasPage: Bool { files.contains { $0.format == .page } }

  /// - Throws: `.usage` for a report's name that says no kind of file.
  init(
    _ paths: [String], printsJSON: Bool, origin: ReportOrigin, console: Console
  ) throws(StyleModelError) {
    files = try paths.map { path throws(StyleModelError) in (path, try ReportFormat(path: path)) }
    self.printsJSON = printsJSON
    self.origin = origin
    self.console = console
  }

  /// Takes the next report and prints it.
  mutating func add(_ report: EvaluationReport) {
    if !printsJSON {
      let isFirst = reports.isEmpty && failures.isEmpty
      console.print((isFirst ? "" : "\n") + report.text, terminator: "")
    }
    reports.append(report)
    status = max(status, report.exitStatus)
  }

  /// Takes a model that could not be evaluated at all.
  mutating func add(_ failure: StyleModelError) {
    failures.append(failure)
    console.fail(failure)
    status = max(status, failure.kind.exitStatus)
  }

  /// Writes the reports.
  /// - Returns: the exit status.
  func finish() throws(StyleModelError) -> Int32 {
    if printsJSON {
      console.print(reportJSON(reports, failures: failures, tool: origin.tool).text(indented: true))
    }
    for (path, format) in files {
      let text = format.text(reports, failures: failures, origin: origin)
      try replaceFile(path, with: text.utf8)
    }
    return status
  }
}
