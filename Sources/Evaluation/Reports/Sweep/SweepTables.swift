import Diagnostics

extension Sweep {
  /// One line a point, with a head: RFC 4180, lines that end in CR LF. Identical pictures have `inf`.
  public var csv: String {
    let head = [
      "model", "scheme", "bytes", "source_bytes", "worst_psnr_db", "worst_psnr_picture", "worst_ssim",
      "worst_ssim_picture", "pooled_psnr_db", "pictures", "failed_pictures",
    ]
    let rows = curves.flatMap { curve in
      curve.points.map { point in
        [
          curve.source.name, point.candidate.storage, String(point.candidate.byteCount),
          String(curve.source.byteCount),
          point.worstPSNR.map { fixed($0.quality.psnr, 4) } ?? "", point.worstPSNR?.name ?? "",
          point.worstSSIM.map { fixed($0.quality.ssim, 6) } ?? "", point.worstSSIM?.name ?? "",
          point.pooled.map { fixed($0, 4) } ?? "", String(point.pictures.count),
          String(point.pictures.count - point.qualities.count),
        ]
      }
    }
    return ([head] + rows).map { $0.map(csvField).joined(separator: ",") + "\r\n" }.joined()
  }

  /// A table a model, for a CI job's summary; ends with a newline.
  public var markdown: String {
    var lines: [String] = []
    for curve in curves {
      lines += [
        "### \(markdownEscaped(curve.source.name)), \(grouped(curve.source.byteCount)) bytes", "",
        "| scheme | bytes | share | worst PSNR dB | on | worst SSIM |", "|---|---:|---:|---:|---|---:|",
      ]
      for point in curve.points {
        let figures =
          if let worst = point.worstPSNR, let ssim = point.worstSSIM {
            "\(fixed(worst.quality.psnr, 2)) | \(markdownEscaped(worst.name)) | \(fixed(ssim.quality.ssim, 5))"
          } else { "failed | |" }
        let share = point.sizeShare.map { fixed(100 * $0, 1) + " %" } ?? ""
        lines.append(
          "| \(markdownEscaped(point.candidate.storage)) | \(grouped(point.candidate.byteCount)) | \(share) | \(figures) |"
        )
      }
      lines.append("")
    }
    if let point = points.first { lines.append("<sub>\(markdownEscaped(point.definition))</sub>") }
    return lines.joined(separator: "\n") + "\n"
  }
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
