public import Diagnostics

/// What networks cost in looks for what they take in bytes, over several ways to store their weights.
public struct Sweep: Sendable {
  /// One network.
  public struct Curve: Sendable {
    /// The float network that all are judged by.
    public var source: EvaluationReport.Subject
    /// What it becomes, one scheme each; all have seen the same pictures.
    public var points: [EvaluationReport]
    /// Why schemes have no file, each reason once; their points have no figures.
    public var failures: [StyleModelError]

    /// Creates a curve.
    public init(
      source: EvaluationReport.Subject, points: [EvaluationReport], failures: [StyleModelError] = []
    ) {
      self.source = source
      self.points = points
      self.failures = failures
    }

    /// Puts a curve together from what its pictures gave.
    /// - Parameters:
    ///   - heads: one a scheme, at least one.
    ///   - outcomes: for each scheme one a picture, in the order of evaluation.
    public init(heads: [ReportHead], outcomes: [[UnitOutcome]], rounded: Bool, gates: Gates) {
      // A network that was read says more of itself than one that was not.
      source = (heads.first { $0.reference.byteCount > 0 } ?? heads[0]).reference
      points = zip(heads, outcomes).map { head, outcomes in
        EvaluationReport(head: head, outcomes: outcomes, rounded: rounded, gates: gates)
      }
      failures = []
      for failure in heads.compactMap(\.failure) where !failures.contains(failure) {
        failures.append(failure)
      }
    }
  }

  /// The networks.
  public var curves: [Curve]

  /// Creates a sweep.
  public init(curves: [Curve]) { self.curves = curves }

  /// Whether there is anything, and every picture could be evaluated at every point.
  public var isComplete: Bool { !points.isEmpty && points.allSatisfy(\.isComplete) }

  /// Whether it is complete and every gate held at every point.
  public var passed: Bool { isComplete && points.allSatisfy(\.passed) }

  /// The points of all curves.
  var points: [EvaluationReport] { curves.flatMap(\.points) }

  /// The sweep for programs: `{"schema": …, "tool": …, "complete": …, "passed": …, "models": [{"source": …, "points": […]}]}`.
  public func json(tool: String) -> JSONValue {
    [
      "schema": "stylemodel-sweep-1",
      "tool": .string(tool),
      "complete": .bool(isComplete),
      "passed": .bool(passed),
      "models": .array(
        curves.map { ["source": $0.source.json, "points": .array($0.points.map(\.json))] }),
    ]
  }
}

extension EvaluationReport {
  /// The candidate's size as a share of the reference's, 0…; nil where either is unknown.
  public var sizeShare: Double? {
    guard candidate.byteCount > 0, reference.byteCount > 0 else { return nil }
    return Double(candidate.byteCount) / Double(reference.byteCount)
  }
}

/// The kinds of file that a sweep can be written as; the name's extension decides.
public enum SweepFormat: String, Hashable, Sendable, CaseIterable {
  /// For programs.
  case json
  /// A table for a CI job's summary.
  case markdown = "md"
  /// JUnit, for a CI system's list of tests.
  case junit = "xml"
  /// For spreadsheets and plotting programs.
  case table = "csv"
  /// The plot by itself.
  case plot = "svg"
  /// A page with plot and table, in one file.
  case page = "html"

  /// The format for a report's name.
  /// - Throws: `.usage` for any other extension.
  public init(path: String) throws(StyleModelError) {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let format = SweepFormat(rawValue: parts[parts.count - 1].lowercased()) else {
      throw StyleModelError(
        .usage, file: path, "is not a name that says what kind of report to write",
        remedy: "end it in .json, .md, .xml, .csv, .svg or .html")
    }
    self = format
  }

  /// The sweep as a file's text.
  public func text(_ sweep: Sweep, origin: ReportOrigin) -> String {
    switch self {
    case .json: sweep.json(tool: origin.tool).text(indented: true) + "\n"
    case .markdown: sweep.markdown
    case .junit: junitReport(sweep.points, origin: origin)
    case .table: sweep.csv
    case .plot: RateDistortionPlot(sweep).document
    case .page: sweepPage(sweep, origin: origin)
    }
  }
}
