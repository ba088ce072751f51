import Diagnostics

extension EvaluationReport {
  /// The report for a terminal, within 80 columns (but for a name that is longer); ends with a newline.
  public var text: String {
    let title = "\(candidate.name) (\(candidate.storage)) against \(reference.name) (\(reference.storage))"
    var lines = hanging(printable(title), indent: 2) + [""] + pictureLines + [""]
    if let worst = worstPSNR, let ssim = worstSSIM {
      lines.append(
        "  worst picture  \(fixed(worst.quality.psnr, 2)) dB (\(printable(worst.name))), "
          + "SSIM \(fixed(ssim.quality.ssim, 5)) (\(printable(ssim.name)))")
    } else {
      lines.append("  no picture was evaluated")
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
    if let overflow = compute.firstOverflow { lines.append("  overflow: " + printable(overflow.sentence)) }
    lines += temporalLines
    for gate in gates {
      lines.append("  \(gate.passed ? "passed" : "FAILED")  \(gate.gate): \(printable(gate.text))")
      if gate.failures.count > 1 { lines += gate.failures.map { "          " + printable($0.described) } }
    }
    lines += notes.map { "  note: " + printable($0) } + ["  " + definition]
    return lines.flatMap { hanging($0, indent: 4) }.joined(separator: "\n") + "\n"
  }

  /// A table with one row a picture, and below it why pictures have no figures.
  private var pictureLines: [String] {
    var table = TextTable(.left("picture"), .right("size"), .right("PSNR dB"), .right("SSIM"), .left(""))
    var failures: [String] = []
    let worst = worstPSNR?.name
    for picture in pictures {
      let name = printable(picture.name)
      switch picture.outcome {
      case .success(let figures):
        let quality = figures.quality
        let isWorst = picture.name == worst && pictures.count > 1 && !quality.identical
        table.add(
          name, picture.size, fixed(quality.psnr, 2), fixed(quality.ssim, 5), isWorst ? "worst" : "")
      case .failure(let error):
        table.add(name, picture.size, "failed", "", "")
        // The file is told by the picture's name already.
        let isTold = error.file.map { $0 == picture.name || $0.hasSuffix("/" + picture.name) } ?? false
        failures.append("  failed  \(name): \((isTold ? error.withoutFile : error).message)")
      }
    }
    return table.lines() + failures
  }

  private var temporalLines: [String] {
    guard let worst = worstTemporalChange else { return [] }
    var table = TextTable(
      .left("picture"), .left("frames"), .right("reference dB"), .right("model dB"), .right("extra dB"))
    for (name, frames, change) in temporalChanges {
      table.add(
        printable(name), frames, signed(ratioInDecibels(change.reference), 2),
        signed(ratioInDecibels(change.candidate), 2),
        signed(change.extra, 2))
    }
    return [""] + table.lines() + [
      "",
      "  worst flicker  \(signed(worst.change.extra, 2)) dB (\(printable(worst.name)), \(worst.frames))",
    ]
  }
}
