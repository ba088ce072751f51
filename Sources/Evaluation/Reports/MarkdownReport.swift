import Diagnostics

extension EvaluationReport {
  /// The report for a CI job's summary or a pull request; ends with a newline.
  public var markdown: String {
    var lines = ["### \(escaped(candidate.name)) against \(escaped(reference.name))", ""]
    let verdict = passed ? "Passed" : "**Failed**"
    if let worst = worstPSNR, let ssim = worstSSIM {
      lines.append(
        "\(verdict): worst picture \(fixed(worst.quality.psnr, 2)) dB (\(escaped(worst.name))), "
          + "SSIM \(fixed(ssim.quality.ssim, 5)) (\(escaped(ssim.name)))"
          + (pooled.map { ", PSNR of the mean squared error \(fixed($0, 2)) dB" } ?? "") + ".")
    } else {
      lines.append("\(verdict): no picture was evaluated.")
    }
    if candidate.byteCount > 0, reference.byteCount > 0 {
      lines.append(
        "Size: \(grouped(reference.byteCount)) → \(grouped(candidate.byteCount)) bytes "
          + "(\(fixed(100 * Double(candidate.byteCount) / Double(reference.byteCount), 1)) %), "
          + "\(escaped(reference.storage)) → \(escaped(candidate.storage)).")
    }
    lines.append("Computed in \(escaped(compute.name)).")
    if let overflow = compute.firstOverflow {
      lines.append("**Overflow**: \(escaped(overflow.sentence)).")
    }
    lines += ["", "| picture | size | PSNR dB | SSIM |", "|---|---|---:|---:|"]
    for picture in pictures {
      switch picture.outcome {
      case .success(let figures):
        lines.append(
          "| \(escaped(picture.name)) | \(picture.size) | \(fixed(figures.quality.psnr, 2)) | "
            + "\(fixed(figures.quality.ssim, 5)) |")
      case .failure(let error):
        lines.append("| \(escaped(picture.name)) | \(picture.size) | failed | \(escaped(error.message)) |")
      }
    }
    lines.append("")
    if !gates.isEmpty {
      lines +=
        gates.map { "- \($0.passed ? "passed" : "**failed**") `\($0.gate)`: \(escaped($0.text))" } + [""]
    }
    if !sizes.isEmpty {
      lines += ["| bytes | what |", "|---:|---|"]
      lines += sizes.map { "| \(grouped($0.byteCount)) | \(escaped($0.name)) |" }
      lines += ["| **\(grouped(sizes.reduce(0) { $0 + $1.byteCount }))** | **the file** |", ""]
    }
    lines += notes.map { "- note: \(escaped($0))" } + (notes.isEmpty ? [] : [""])
    lines.append("<sub>\(escaped(definition))</sub>")
    return lines.joined(separator: "\n") + "\n"
  }
}

/// A text that Markdown shows as it is.
private func escaped(_ text: String) -> String {
  var result = ""
  for character in printable(text) {
    if "\\`*_|<>[]".contains(character) { result.append("\\") }
    result.append(character)
  }
  return result
}
