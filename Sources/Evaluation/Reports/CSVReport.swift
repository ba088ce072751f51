import Diagnostics

/// The reports of one run as a table: a line a picture, with a head; RFC 4180, lines that end in CR LF. Identical
/// pictures have `inf`. A picture that failed has its message in place of figures, and so has a model that could not be
/// evaluated, in a line without a picture.
func csvReport(_ reports: [EvaluationReport], failures: [StyleModelError]) -> String {
  let head = [
    "model", "storage", "bytes", "against", "picture", "size", "psnr_db", "ssim", "failed_gates", "error",
  ]
  let rows = reports.flatMap { report in
    let broken = report.gates.filter { !$0.passed }
    return report.pictures.map { picture -> [String] in
      let gates = broken.filter { gate in
        gate.checks.contains { !$0.passed && ($0.picture == nil || $0.picture == picture.name) }
      }
      var quality = ["", ""]
      var message = ""
      switch picture.outcome {
      case .success(let figures):
        quality = [fixed(figures.quality.psnr, 4), fixed(figures.quality.ssim, 6)]
      case .failure(let error): message = error.message
      }
      return [
        report.candidate.name, report.candidate.storage, byteCount(report.candidate), report.reference.name,
        picture.name, picture.size,
      ] + quality + [gates.map(\.gate).joined(separator: " "), message]
    }
  }
  let lost = failures.map { failure in
    [failure.file ?? ""] + Array(repeating: "", count: head.count - 2) + [failure.withoutFile.message]
  }
  return ([head] + rows + lost).map { $0.map(csvField).joined(separator: ",") + "\r\n" }.joined()
}
