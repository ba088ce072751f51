import Diagnostics

extension EvaluationReport {
  /// The report for a terminal, within 80 columns; ends with a newline.
  public var text: String {
    let title =
      "\(printable(candidate.name)) (\(candidate.storage)) against \(printable(reference.name)) "
      + "(\(reference.storage))"
    var lines = hanging(title, indent: 2) + [""] + pictureLines + [""]
    if let worst = worstPSNR, let ssim = worstSSIM {
      lines.append(
        "  worst picture  \(fixed(worst.quality.psnr, 2)) dB (\(printable(worst.name))), "
          + "SSIM \(fixed(ssim.quality.ssim, 5)) (\(printable(ssim.name)))")
    }
    if let pooled {
      lines.append("  PSNR of the mean squared error over all pictures  \(fixed(pooled, 2)) dB")
    }
    if candidate.byteCount > 0, reference.byteCount > 0 {
      lines.append(
        "  size  \(grouped(reference.byteCount)) -> \(grouped(candidate.byteCount)) bytes, "
          + "\(fixed(100 * Double(candidate.byteCount) / Double(reference.byteCount), 1)) %")
    }
    lines += temporalLines
    for gate in gates {
      lines.append("  \(gate.passed ? "passed" : "FAILED")  \(gate.gate): \(gate.text)")
      if gate.failures.count > 1 { lines += gate.failures.map { "          " + $0.described } }
    }
    lines += notes.map { "  note: " + $0 }
    lines.append("  " + definition)
    return lines.flatMap { hanging($0, indent: 4) }.joined(separator: "\n") + "\n"
  }

  private var pictureLines: [String] {
    var table = TextTable(.left("picture"), .right("size"), .right("PSNR dB"), .right("SSIM"))
    var errors: [String] = []
    for picture in pictures {
      let name = printable(picture.name)
      switch picture.outcome {
      case .success(let figures):
        table.add(name, picture.size, fixed(figures.quality.psnr, 2), fixed(figures.quality.ssim, 5))
      case .failure(let error):
        table.add(name, picture.size, "failed", "")
        errors.append("  \(name): \(error.message)")
      }
    }
    let mark = "  worst"
    var lines = table.lines(width: lineWidth - mark.count)
    if let worst = worstPSNR, !worst.quality.identical, pictures.count > 1,
      let row = pictures.firstIndex(where: { $0.name == worst.name })
    {
      lines[row + 2] += mark
    }
    return lines + errors
  }

  private var temporalLines: [String] {
    guard let worst = worstTemporalChange else { return [] }
    var table = TextTable(
      .left("picture"), .left("frames"), .right("reference dB"), .right("model dB"), .right("extra dB"))
    for (name, frames, change) in temporalChanges {
      table.add(
        printable(name), frames, signed(decibels(change.reference), 2), signed(decibels(change.candidate), 2),
        signed(change.extra, 2))
    }
    return [""] + table.lines() + [
      "",
      "  worst flicker  \(signed(worst.change.extra, 2)) dB (\(printable(worst.name)), \(worst.frames))",
    ]
  }
}
