public import Diagnostics

/// The kinds of report file; the name's extension decides.
public enum ReportFormat: String, Hashable, Sendable, CaseIterable {
  /// For programs.
  case json
  /// For a CI job's summary.
  case markdown = "md"
  /// JUnit, for a CI system's list of tests.
  case junit = "xml"
  /// A line a picture, for spreadsheets and plotting programs.
  case table = "csv"
  /// A page with the pictures themselves, in one file.
  case page = "html"

  /// The format for a report's name.
  /// - Throws: `.usage` for any extension but `.json`, `.md`, `.xml`, `.csv` and `.html`.
  public init(path: String) throws(StyleModelError) {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let format = ReportFormat(rawValue: parts[parts.count - 1].lowercased()) else {
      throw StyleModelError(
        .usage, file: path, "is not a name that says what kind of report to write",
        remedy: "end it in .json, .md, .xml, .csv or .html")
    }
    self = format
  }

  /// The reports of one run as a file's text.
  /// - Parameter failures: the models that could not be evaluated at all, each with its file named.
  public func text(
    _ reports: [EvaluationReport], failures: [StyleModelError] = [], origin: ReportOrigin
  ) -> String {
    switch self {
    case .json: reportJSON(reports, failures: failures, tool: origin.tool).text(indented: true) + "\n"
    case .markdown: (reports.map(\.markdown) + failures.map(\.markdown)).joined(separator: "\n")
    case .junit: junitReport(reports, failures: failures, origin: origin)
    case .table: csvReport(reports, failures: failures)
    case .page: evaluationPage(reports, failures: failures, origin: origin)
    }
  }
}

/// The reports of one run for programs, as docs/report-schema.md describes them:
/// `{"schema": …, "tool": …, "passed": …, "models": […], "failures": […]}`.
///
/// A run has passed when there is a report, all of them have, and no model is missing from them.
public func reportJSON(
  _ reports: [EvaluationReport], failures: [StyleModelError] = [], tool: String
) -> JSONValue {
  [
    "schema": .string(reportSchema),
    "tool": .string(tool),
    "passed": .bool(!reports.isEmpty && failures.isEmpty && reports.allSatisfy(\.passed)),
    "models": .array(reports.map(\.json)),
    "failures": .array(
      failures.map {
        ["file": $0.file.map { .string($0) } ?? .null, "error": .string($0.message)]
      }),
  ]
}
