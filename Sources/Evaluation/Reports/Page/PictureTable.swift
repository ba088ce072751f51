import Diagnostics

extension EvaluationReport {
  /// What is wrong with a picture's figures by the gates that hold for each picture.
  func faults(of picture: PictureResult) -> [String] {
    gates.flatMap { gate in
      gate.failures.filter { $0.picture == picture.name }.map { "\(gate.limit): \($0.text)" }
    }
  }
}

extension ReportSection {
  /// The figures of every picture, the worst first.
  var pictureTable: Markup {
    guard !report.pictures.isEmpty else { return .empty }
    let rows = report.worstFirst.enumerated().markup { index, picture in row(index, picture) }
    return """
      <section aria-labelledby="\(id)-pictures">
      <h2 id="\(id)-pictures">Pictures, worst first</h2>
      \(scrollingTable("Pictures, worst first", """
        <thead><tr><th scope="col">Picture</th><th scope="col" class="number roomy">Size</th>\
        <th scope="col" class="number">PSNR, dB</th><th scope="col" class="number">SSIM</th>\
        <th scope="col" class="wide roomy">0 to 60 dB</th></tr></thead>
        <tbody>
        \(rows)
        </tbody>
        """))
      </section>
      """
  }

  private func row(_ index: Int, _ picture: PictureResult) -> Markup {
    let name: Markup =
      picture.exhibit == nil
      ? breakable(picture.name) : "<a href=\"#\(id)-p\(index + 1)\">\(breakable(picture.name))</a>"
    let head: Markup = "<th scope=\"row\">\(name)</th><td class=\"number roomy\">\(picture.size)</td>"
    switch picture.outcome {
    case .failure(let error):
      return """
        <tr class="failed">\(head)<td colspan="3"><span class="mark failed">✗ failed</span> \(error.message)</td></tr>
        """
    case .success(let figures):
      let faults = report.faults(of: picture)
      let mark: Markup =
        faults.isEmpty
        ? .empty : " <span class=\"mark failed\" title=\"\(faults.joined(separator: "; "))\">✗</span>"
      let share = min(max(figures.quality.psnr / 60, 0), 1)
      return """
        <tr>\(head)<td class="number">\(decibels(figures.quality.psnr))\(mark)</td>\
        <td class="number">\(fixed(figures.quality.ssim, 5))</td>\
        <td class="wide roomy"><span class="bar" style="--share:\(styleNumber(share))"></span></td></tr>
        """
    }
  }
}
