import Diagnostics

extension Sweep {
  /// One line a point, with a head: RFC 4180, lines that end in CR LF. Identical pictures have `inf`.
  public var csv: String {
    let head = [
      "model", "scheme", "bytes", "source_bytes", "worst_psnr_db", "worst_psnr_picture", "worst_ssim",
      "worst_ssim_picture", "pooled_psnr_db", "pictures", "failed_pictures", "failed_gates",
    ]
    let rows = curves.flatMap { curve in curve.points.map { row($0, of: curve.source) } }
    return ([head] + rows).map { $0.map(csvField).joined(separator: ",") + "\r\n" }.joined()
  }

  private func row(_ point: EvaluationReport, of source: EvaluationReport.Subject) -> [String] {
    var cells = [source.name, point.candidate.storage, byteCount(point.candidate), byteCount(source)]
    cells += [point.worstPSNR.map { fixed($0.quality.psnr, 4) } ?? "", point.worstPSNR?.name ?? ""]
    cells += [point.worstSSIM.map { fixed($0.quality.ssim, 6) } ?? "", point.worstSSIM?.name ?? ""]
    cells += [point.pooled.map { fixed($0, 4) } ?? "", String(point.pictures.count)]
    cells.append(String(point.pictures.count - point.qualities.count))
    cells.append(point.gates.filter { !$0.passed }.map(\.gate).joined(separator: " "))
    return cells
  }

  /// A table a model, for a CI job's summary; ends with a newline.
  public var markdown: String {
    var lines: [String] = []
    for curve in curves {
      lines += [
        "### \(markdownEscaped(curve.source.name))"
          + (curve.source.byteCount > 0 ? ", \(grouped(curve.source.byteCount)) bytes" : ""), "",
        "| scheme | bytes | share | worst PSNR dB | on | worst SSIM |", "|---|---:|---:|---:|---|---:|",
      ]
      for point in curve.points {
        let figures =
          if let worst = point.worstPSNR, let ssim = point.worstSSIM {
            "\(fixed(worst.quality.psnr, 2)) | \(markdownEscaped(worst.name)) | \(fixed(ssim.quality.ssim, 5))"
          } else { "failed | |" }
        let bytes = point.candidate.byteCount > 0 ? grouped(point.candidate.byteCount) : ""
        let share = point.sizeShare.map { fixed(100 * $0, 1) + " %" } ?? ""
        lines.append(
          "| \(markdownEscaped(point.candidate.storage)) | \(bytes) | \(share) | \(figures) |"
        )
      }
      lines.append("")
      let notes = curve.failures.map { "**Failed**: " + markdownEscaped($0.message) } + curve.gateFailures
      lines += notes.map { "- \($0)" } + (notes.isEmpty ? [] : [""])
    }
    if let point = points.first { lines.append("<sub>\(markdownEscaped(point.definition))</sub>") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Sweep.Curve {
  /// The gates that failed, a line each.
  fileprivate var gateFailures: [String] {
    points.flatMap { point in
      point.gates.filter { !$0.passed }.map { gate in
        "**failed** \(markdownEscaped(point.candidate.storage)) `\(gate.gate)`: \(markdownEscaped(gate.text))"
      }
    }
  }
}

/// A file's size for a table; nothing where there is no file.
func byteCount(_ subject: EvaluationReport.Subject) -> String {
  subject.byteCount > 0 ? String(subject.byteCount) : ""
}

/// A field of a CSV line, in quotes where it needs them. A name that a spreadsheet would take for a formula gets an
/// apostrophe before it.
func csvField(_ text: String) -> String {
  var field = printable(text)
  if let first = field.first, "=+-@".contains(first), Double(field) == nil { field = "'" + field }
  guard field.contains(where: { "\",".contains($0) }) else { return field }
  return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    + "\""
}
