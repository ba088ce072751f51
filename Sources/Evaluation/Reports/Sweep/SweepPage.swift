import Diagnostics

/// A sweep as one self-contained HTML file: the plot, and the table behind it.
func sweepPage(_ sweep: Sweep, origin: ReportOrigin) -> String {
  let names = sweep.curves.map(\.source.name)
  let title = names.count == 1 ? "\(names[0]): bytes against looks" : "Bytes against looks"
  let failures = sweep.points.filter { !$0.isComplete }
  let broken = sweep.points.reduce(0) { $0 + $1.gates.count { !$0.passed } }
  let gates: Markup =
    broken == 0
    ? .empty
    : """
    <p class="verdict failed"><strong><span class="mark failed">✗ Failed</span></strong> \
    \(counted(broken, "gate")) did not hold.</p>
    """
  let verdict: Markup =
    failures.isEmpty
    ? .empty
    : """
    <p class="verdict failed"><strong><span class="mark failed">✗ Failed</span></strong> \
    \(counted(failures.count, "point")) of \(sweep.points.count) could not be evaluated on every picture, and \
    \(failures.count == 1 ? "is" : "are") missing from the plot.</p>
    """
  let body: Markup = """
    <header class="title"><h1>\(title)</h1>
    <p>Each point is the network with its weights stored in one way, compared with the float network.</p></header>
    \(verdict)\(gates)
    <figure class="plot"><div class="scroll" role="region" aria-label="Plot" tabindex="0">
    \(RateDistortionPlot(sweep).embedded)
    </div></figure>
    \(sweep.curves.enumerated().markup { index, curve in table(index + 1, curve) })
    <section aria-labelledby="definitions">
    <h2 id="definitions">What the figures mean</h2>
    <p>\(sweep.points.first?.definition ?? ImageQuality.definition()). Every point has seen the same pictures; the worst one counts.</p>
    </section>
    """
  return Page(title: title, body: body, origin: origin).text
}

private func table(_ number: Int, _ curve: Sweep.Curve) -> Markup {
  let rows = curve.points.markup { point in
    let head: Markup = """
      <th scope="row">\(point.candidate.storage)</th><td class="number">\(point.candidate.byteCount > 0 ? grouped(point.candidate.byteCount) : "–")</td>\
      <td class="number">\(point.sizeShare.map { fixed(100 * $0, 1) + " %" } ?? "–")</td>
      """
    guard let worst = point.worstPSNR, let ssim = point.worstSSIM, point.isComplete else {
      return
        "<tr class=\"failed\">\(head)<td colspan=\"3\"><span class=\"mark failed\">✗ failed</span></td></tr>"
    }
    return """
      <tr\(point.passed ? "" : " class=\"failed\"")>\(head)<td class="number">\(decibels(worst.quality.psnr))</td>\
      <td class="roomy">\(worst.name)</td><td class="number">\(fixed(ssim.quality.ssim, 5))</td></tr>
      """
  }
  let notes: [String] =
    curve.failures.map(\.message)
    + curve.points.flatMap { point in
      point.gates.filter { !$0.passed }.map { "\(point.candidate.storage): \($0.gate): \($0.text)" }
    }
  let remarks: Markup =
    notes.isEmpty ? .empty : "\n<ul class=\"notes\">\(notes.markup { "<li>\($0)</li>" })</ul>"
  return """
    <section aria-labelledby="curve-\(number)">
    <h2 id="curve-\(number)">\(curve.source.name)\(curve.source.byteCount > 0 ? ", \(byteSize(curve.source.byteCount))" : "")</h2>
    \(scrollingTable(curve.source.name, """
      <thead><tr><th scope="col">Stored as</th><th scope="col" class="number">Bytes</th>\
      <th scope="col" class="number">Share</th><th scope="col" class="number">Worst PSNR, dB</th>\
      <th scope="col" class="roomy">On</th><th scope="col" class="number">Worst SSIM</th></tr></thead>
      <tbody>
      \(rows)
      </tbody>
      """))\(remarks)
    </section>
    """
}
