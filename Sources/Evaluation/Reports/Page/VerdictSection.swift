import Diagnostics

extension EvaluationReport {
  /// The verdict as a sign and a word, which do without their colour.
  var verdictMark: Markup {
    if !passed { return "<span class=\"mark failed\">✗ Failed</span>" }
    return gates.isEmpty
      ? "<span class=\"mark\">Measured</span>" : "<span class=\"mark passed\">✓ Passed</span>"
  }

  /// The verdict in a sentence.
  fileprivate var verdictSentence: String {
    let held = gates.filter(\.passed).count
    let missing = pictures.count - qualities.count
    if pictures.isEmpty { return "No picture was evaluated." }
    if missing > 0 { return "\(counted(missing, "picture")) of \(pictures.count) could not be evaluated." }
    if held < gates.count { return "\(counted(gates.count - held, "gate")) of \(gates.count) did not hold." }
    if gates.isEmpty { return "\(counted(pictures.count, "picture")) compared; no gate was set." }
    return "\(counted(pictures.count, "picture")) compared; \(counted(held, "gate")) held."
  }
}

extension ReportSection {
  /// Whether all is well, the figures that decide it, and every gate.
  var verdict: Markup {
    """
    <section aria-labelledby="\(id)-verdict">
    <h2 class="unseen" id="\(id)-verdict">Verdict</h2>
    <p class="verdict \(verdictClass)"><strong>\(report.verdictMark)</strong> \(report.verdictSentence)</p>
    <dl class="cards">
    \(cards.joinedLines())
    </dl>
    \(gates)
    </section>
    """
  }

  private var verdictClass: Markup {
    !report.passed ? "failed" : report.gates.isEmpty ? "measured" : "passed"
  }

  private var cards: [Markup] {
    var cards: [Markup] = []
    if let worst = report.worstPSNR {
      let value = worst.quality.identical ? "identical" : fixed(worst.quality.psnr, 2)
      cards.append(
        card("Worst PSNR", value, unit: worst.quality.identical ? nil : "dB", "on \(breakable(worst.name))"))
    }
    if let worst = report.worstSSIM {
      cards.append(card("Worst SSIM", fixed(worst.quality.ssim, 5), "on \(breakable(worst.name))"))
    }
    let (now, before) = (report.candidate.byteCount, report.reference.byteCount)
    if now > 0 {
      let change =
        before > 0
        ? "\(fixed(100 * Double(now) / Double(before), 1)) % of \(byteSize(before))" : "\(grouped(now)) bytes"
      let size = byteSize(now).split(separator: " ").map(String.init)
      cards.append(card("Size", size.first ?? "", unit: size.last, "\(change)"))
    }
    if let layer = report.worstLayer {
      cards.append(card("Noisiest layer", fixed(layer.ownRatio, 1), unit: "dB", breakable(layer.name)))
    } else if let pooled = report.pooled, pooled.isFinite {
      cards.append(card("PSNR of the mean error", fixed(pooled, 2), unit: "dB", "over all pictures"))
    }
    return cards
  }

  private func card(_ title: String, _ value: String, unit: String? = nil, _ detail: Markup) -> Markup {
    let unit: Markup = unit.map { " <span class=\"unit\">\($0)</span>" } ?? .empty
    return """
      <div class="card"><dt>\(title)</dt><dd class="value">\(value)\(unit)</dd><dd class="detail">\(detail)</dd></div>
      """
  }

  private var gates: Markup {
    guard !report.gates.isEmpty else { return .empty }
    let items = report.gates.markup { gate in
      let mark: Markup =
        gate.passed
        ? "<span class=\"mark passed\">✓ held</span>" : "<span class=\"mark failed\">✗ failed</span>"
      let failures: Markup =
        gate.failures.count > 1
        ? "<ul>\(gate.failures.markup { "<li>\($0.described)</li>" })</ul>" : .empty
      return "<li>\(mark) <code>\(gate.gate)</code> \(gate.text)\(failures)</li>"
    }
    return "<ul class=\"gates\">\(items)</ul>"
  }
}
