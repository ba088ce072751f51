public import Diagnostics

/// The kinds of report file; the name's extension decides.
public enum ReportFormat: String, Hashable, Sendable, CaseIterable {
  /// For programs.
  case json
  /// For a CI job's summary.
  case markdown = "md"

  /// The format for a report's name.
  /// - Throws: `.usage` for any extension but `.json` and `.md`.
  public init(path: String) throws(StyleModelError) {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let format = ReportFormat(rawValue: parts[parts.count - 1].lowercased()) else {
      throw StyleModelError(
        .usage, file: path, "is not a name that says what kind of report to write",
        remedy: "end it in .json or .md")
    }
    self = format
  }

  /// The reports of one run as a file's text.
  /// - Parameter failures: the models that could not be evaluated at all, each with its file named.
  public func text(_ reports: [EvaluationReport], failures: [StyleModelError] = [], tool: String) -> String {
    switch self {
    case .json: reportJSON(reports, failures: failures, tool: tool).text(indented: true) + "\n"
    case .markdown: (reports.map(\.markdown) + failures.map(\.markdown)).joined(separator: "\n")
    }
  }
}

/// The reports of one run for programs: `{"schema": …, "tool": …, "passed": …, "models": […], "failures": […]}`.
///
/// A run has passed when there is a report, all of them have, and no model is missing from them.
public func reportJSON(
  _ reports: [EvaluationReport], failures: [StyleModelError] = [], tool: String
) -> JSONValue {
  [
    "schema": "stylemodel-report-1",
    "tool": .string(tool),
    "passed": .bool(!reports.isEmpty && failures.isEmpty && reports.allSatisfy(\.passed)),
    "models": .array(reports.map(\.json)),
    "failures": .array(
      failures.map {
        ["file": $0.file.map { .string($0) } ?? .null, "error": .string($0.message)]
      }),
  ]
}
