import Diagnostics

extension EvaluationReport {
  /// The report for a CI job's summary or a pull request; ends with a newline.
  public var markdown: String {
    var lines = ["### \(markdownEscaped(candidate.name)) against \(markdownEscaped(reference.name))", ""]
    let verdict = passed ? "Passed" : "**Failed**"
    if let worst = worstPSNR, let ssim = worstSSIM {
      lines.append(
        "\(verdict): worst picture \(fixed(worst.quality.psnr, 2)) dB (\(markdownEscaped(worst.name))), "
          + "SSIM \(fixed(ssim.quality.ssim, 5)) (\(markdownEscaped(ssim.name)))"
          + (pooled.map { ", PSNR of the mean squared error \(fixed($0, 2)) dB" } ?? "") + ".")
    } else {
      lines.append("\(verdict): no picture was evaluated.")
    }
    if candidate.byteCount > 0, reference.byteCount > 0 {
      lines.append(
        "Size: \(grouped(reference.byteCount)) → \(grouped(candidate.byteCount)) bytes "
          + "(\(fixed(100 * Double(candidate.byteCount) / Double(reference.byteCount), 1)) %), "
          + "\(markdownEscaped(reference.storage)) → \(markdownEscaped(candidate.storage)).")
    }
    lines.append("Computed in \(markdownEscaped(compute.name)).")
    if let overflow = compute.firstOverflow {
      lines.append("**Overflow**: \(markdownEscaped(overflow.sentence)).")
    }
    lines += ["", "| picture | size | PSNR dB | SSIM |", "|---|---|---:|---:|"]
    for picture in pictures {
      switch picture.outcome {
      case .success(let figures):
        lines.append(
          "| \(markdownEscaped(picture.name)) | \(picture.size) | \(fixed(figures.quality.psnr, 2)) | "
            + "\(fixed(figures.quality.ssim, 5)) |")
      case .failure(let error):
        lines.append(
          "| \(markdownEscaped(picture.name)) | \(picture.size) | failed | \(markdownEscaped(error.message)) |"
        )
      }
    }
    lines.append("")
    lines += temporalLines
    for gate in gates {
      lines.append("- \(gate.passed ? "passed" : "**failed**") `\(gate.gate)`: \(markdownEscaped(gate.text))")
      if gate.failures.count > 1 { lines += gate.failures.map { "  - \(markdownEscaped($0.described))" } }
    }
    if !gates.isEmpty { lines.append("") }
    if !sizes.isEmpty {
      lines += ["| bytes | what |", "|---:|---|"]
      lines += sizes.map { "| \(grouped($0.byteCount)) | \(markdownEscaped($0.name)) |" }
      lines += ["| **\(grouped(sizes.reduce(0) { $0 + $1.byteCount }))** | **the file** |", ""]
    }
    lines += notes.map { "- note: \(markdownEscaped($0))" } + (notes.isEmpty ? [] : [""])
    lines.append("<sub>\(markdownEscaped(definition))</sub>")
    return lines.joined(separator: "\n") + "\n"
  }

  private var temporalLines: [String] {
    guard let worst = worstTemporalChange else { return [] }
    let rows = temporalChanges.map { name, frames, change in
      "| \(markdownEscaped(name)) | \(frames) | \(signed(ratioInDecibels(change.reference), 2)) | \(signed(ratioInDecibels(change.candidate), 2)) | "
        + "\(signed(change.extra, 2)) |"
    }
    return [
      "Flicker: at most \(signed(worst.change.extra, 2)) dB more change between nearly equal frames "
        + "(\(markdownEscaped(worst.name)), \(worst.frames)).",
      "", "| picture | frames | reference dB | model dB | extra dB |",
      "|---|---|---:|---:|---:|",
    ] + rows + [""]
  }
}

extension StyleModelError {
  /// What stands in place of the report of a model that could not be evaluated.
  var markdown: String {
    "### \(markdownEscaped(file ?? "a model"))\n\n**Failed**: \(markdownEscaped(withoutFile.message))\n"
  }
}

/// A text that Markdown shows as it is.
func markdownEscaped(_ text: String) -> String {
  var result = ""
  for character in printable(text) {
    if "\\`*_|<>[]".contains(character) { result.append("\\") }
    result.append(character)
  }
  return result
}
