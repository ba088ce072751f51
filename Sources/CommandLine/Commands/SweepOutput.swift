import Diagnostics
import Evaluation
import Files

/// What `sweep` prints and writes, wherever the figures were measured.
struct SweepOutput {
  private let reports: [(path: String, format: SweepFormat)]
  private let printsJSON: Bool
  private let origin: ReportOrigin
  private let console: Console
  private var sweep = Sweep(curves: [])
  private var status: Int32 = 0

  /// - Throws: `.usage` for a report's name that says no kind of file.
  init(
    _ paths: [String], printsJSON: Bool, origin: ReportOrigin, console: Console
  ) throws(StyleModelError) {
    reports = try paths.map { path throws(StyleModelError) in (path, try SweepFormat(path: path)) }
    self.printsJSON = printsJSON
    self.origin = origin
    self.console = console
  }

  /// Takes the next network and prints its table.
  mutating func add(_ curve: Sweep.Curve) {
    if !printsJSON {
      for line in curve.lines(isFirst: sweep.curves.isEmpty) { console.print(line) }
    }
    for failure in curve.failures { console.fail(failure) }
    sweep.curves.append(curve)
    status = curve.points.reduce(status) { max($0, $1.exitStatus) }
  }

  /// Writes the reports.
  /// - Returns: the exit status.
  func finish() throws(StyleModelError) -> Int32 {
    if printsJSON { console.print(sweep.json(tool: origin.tool).text(indented: true)) }
    for (path, format) in reports { try replaceFile(path, with: format.text(sweep, origin: origin).utf8) }
    return status
  }
}

extension Sweep.Curve {
  /// The curve as a table for a terminal.
  fileprivate func lines(isFirst: Bool) -> [String] {
    var table = TextTable(
      .left("stored as"), .right("bytes"), .right("share"), .right("worst PSNR dB"), .left("on"),
      .right("worst SSIM"))
    for point in points {
      let worst = point.isComplete ? point.worstPSNR : nil
      table.add(
        point.candidate.storage, point.candidate.byteCount > 0 ? grouped(point.candidate.byteCount) : "",
        point.sizeShare.map { fixed(100 * $0, 1) + " %" } ?? "",
        worst.map { fixed($0.quality.psnr, 2) } ?? "failed", worst?.name ?? "",
        point.isComplete ? point.worstSSIM.map { fixed($0.quality.ssim, 5) } ?? "" : "")
    }
    let size = source.byteCount > 0 ? ", \(grouped(source.byteCount)) bytes" : ""
    return (isFirst ? [] : [""]) + ["\(source.name) (\(source.storage))\(size)"] + table.lines()
      + pictureFailures + gateFailures
  }

  /// What failed on single pictures; what failed on all of them is told once, as an error.
  private var pictureFailures: [String] {
    points.flatMap { point in
      point.pictures.compactMap { picture in
        guard case .failure(let error) = picture.outcome, !failures.contains(error) else { return nil }
        return "  failed  \(point.candidate.storage), \(picture.name): \(error.message)"
      }
    }
  }

  private var gateFailures: [String] {
    points.flatMap { point in
      point.gates.filter { !$0.passed }.map {
        "  FAILED  \(point.candidate.storage), \($0.gate): \(printable($0.text))"
      }
    }
  }
}
