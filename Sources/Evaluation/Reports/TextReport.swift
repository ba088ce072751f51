import Diagnostics

extension EvaluationReport {
  /// The report for a terminal, within 80 columns; ends with a newline.
  public var text: String {
    var lines = [
      "\(candidate.name) (\(candidate.storage)) against \(reference.name) (\(reference.storage))", "",
    ]
    let width = max(8, pictures.map(\.name.count).max() ?? 0)
    func padded(_ text: String, _ count: Int) -> String {
      text + String(repeating: " ", count: max(0, count - text.count))
    }
    func right(_ text: String, _ count: Int) -> String {
      String(repeating: " ", count: max(0, count - text.count)) + text
    }
    lines.append(
      "  \(padded("picture", width))  \(right("size", 9))  \(right("PSNR dB", 8))  \(right("SSIM", 7))")
    let worst = worstPSNR?.name
    for picture in pictures {
      switch picture.outcome {
      case .success(let figures):
        lines.append(
          "  \(padded(picture.name, width))  \(right(picture.size, 9))  "
            + "\(right(fixed(figures.quality.psnr, 2), 8))  \(right(fixed(figures.quality.ssim, 5), 7))"
            + (picture.name == worst && pictures.count > 1 && !figures.quality.identical ? "  worst" : ""))
      case .failure(let error): lines.append("  \(padded(picture.name, width))  failed: \(error.message)")
      }
    }
    lines.append("")
    if let worst = worstPSNR, let ssim = worstSSIM {
      lines.append(
        "  worst picture  \(fixed(worst.quality.psnr, 2)) dB (\(worst.name)), SSIM \(fixed(ssim.quality.ssim, 5)) (\(ssim.name))"
      )
    }
    if let pooled {
      lines.append("  PSNR of the mean squared error over all pictures  \(fixed(pooled, 2)) dB")
    }
    if candidate.byteCount > 0, reference.byteCount > 0 {
      lines.append(
        "  size  \(grouped(reference.byteCount)) -> \(grouped(candidate.byteCount)) bytes, "
          + "\(fixed(100 * Double(candidate.byteCount) / Double(reference.byteCount), 1)) %")
    }
    lines.append("  computed in  \(compute.name)")
    if let overflow = compute.firstOverflow { lines += wrapped("overflow: " + overflow.sentence) }
    for gate in gates { lines.append("  \(gate.passed ? "passed" : "FAILED")  \(gate.gate): \(gate.text)") }
    for note in notes { lines += wrapped("note: " + note) }
    lines += wrapped(definition)
    return lines.joined(separator: "\n") + "\n"
  }

  private func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    var line = " "
    for word in text.split(separator: " ") {
      if line.count + 1 + word.count > 80 {
        lines.append(line)
        line = "   "
      }
      line += " " + word
    }
    return lines + [line]
  }
}
