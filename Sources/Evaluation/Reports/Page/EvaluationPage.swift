import Diagnostics

/// The evaluation of some models as one self-contained HTML file.
func evaluationPage(
  _ reports: [EvaluationReport], failures: [StyleModelError] = [], origin: ReportOrigin
) -> String {
  let isAlone = reports.count == 1 && failures.isEmpty
  let count = counted(reports.count + failures.count, "model")
  let title = isAlone ? reports[0].candidate.name : "\(count) evaluated"
  let sections = reports.enumerated().map { index, report in
    ReportSection(report, number: index + 1, isAlone: isAlone).markup
  }
  let overview: Markup = isAlone ? .empty : modelOverview(reports, failures, title: title)
  return Page(title: title, body: overview + sections.joinedLines(), origin: origin).text
}

/// What stands at the top of a page with several models: those that could not be evaluated, and a table of the others.
private func modelOverview(
  _ reports: [EvaluationReport], _ failures: [StyleModelError], title: String
) -> Markup {
  let rows = reports.enumerated().markup { index, report in
    """
    <tr><th scope="row"><a href="#m\(index + 1)">\(breakable(report.candidate.name))</a></th>\
    <td>\(report.verdictMark)</td>\
    <td class="number">\(report.worstPSNR.map { decibels($0.quality.psnr) } ?? "–")</td>\
    <td class="number">\(report.worstSSIM.map { fixed($0.quality.ssim, 5) } ?? "–")</td>\
    <td class="number">\(report.candidate.byteCount > 0 ? grouped(report.candidate.byteCount) : "–")</td></tr>
    """
  }
  let table: Markup =
    reports.isEmpty
    ? .empty
    : scrollingTable(
      "Models",
      """
      <thead><tr><th scope="col">Model</th><th scope="col">Verdict</th>\
      <th scope="col" class="number">Worst PSNR, dB</th><th scope="col" class="number">Worst SSIM</th>\
      <th scope="col" class="number">Bytes</th></tr></thead>
      <tbody>
      \(rows)
      </tbody>
      """)
  let messages =
    reports.isEmpty && failures.isEmpty ? ["No model was evaluated."] : failures.map(\.message)
  return """
    <header class="title"><h1>\(title)</h1></header>
    \(messages.markup { message in
      """
      <p class="verdict failed"><strong><span class="mark failed">✗ Failed</span></strong> \(message)</p>
      """
    })
    \(table)

    """
}

/// What a page says of one model.
struct ReportSection {
  let report: EvaluationReport
  /// Before all identifiers, which are unique in a page: `m1`.
  let id: String
  private let isAlone: Bool

  init(_ report: EvaluationReport, number: Int, isAlone: Bool) {
    self.report = report
    id = "m\(number)"
    self.isAlone = isAlone
  }

  /// All of it.
  var markup: Markup {
    let parts = [verdict, sizeAccount, pictureTable, flickerTable, exhibits, layerTable, definitions]
    return """
      <section class="model" id="\(id)" aria-labelledby="\(id)-title">
      \(title)
      \(parts.filter { $0 != .empty }.joinedLines())
      </section>
      """
  }

  private var title: Markup {
    let subject = report.candidate
    let heading: Markup =
      isAlone
      ? "<h1 id=\"\(id)-title\">\(breakable(subject.name))</h1>"
      : "<h2 class=\"model\" id=\"\(id)-title\">\(breakable(subject.name))</h2>"
    return """
      <header class="title">
      \(heading)
      <p>\(subject.storage) weights, compared with <strong>\(report.reference.name)</strong> (\(report.reference.storage))</p>
      </header>
      """
  }

  private var definitions: Markup {
    let notes: Markup =
      report.notes.isEmpty ? .empty : "<ul class=\"notes\">\(report.notes.markup { "<li>\($0)</li>" })</ul>"
    let digests = [report.candidate, report.reference].filter { !$0.sha256.isEmpty }.markup { subject in
      """
      <dt>\(subject.name)</dt><dd>\(grouped(subject.byteCount)) bytes, SHA-256 <code class="digest">\(subject.sha256)</code></dd>
      """
    }
    let layers: Markup = report.layers.isEmpty ? .empty : "<p>\(LayerNoise.definition).</p>"
    return """
      <section aria-labelledby="\(id)-definitions">
      <h2 id="\(id)-definitions">What the figures mean</h2>
      \(notes)
      <p>\(report.definition). Both networks see the same pixels at the same size.</p>
      \(layers)
      <dl class="files">
      \(digests)
      </dl>
      </section>
      """
  }
}

/// A PSNR for a table: identical pictures have none.
func decibels(_ value: Double) -> String { value == .infinity ? "identical" : fixed(value, 2) }

/// A share for people: `0 %`, `< 0.1 %`, `12.3 %`.
func percent(_ share: Double) -> String {
  if share > 0, share < 0.0005 { return "< 0.1 %" }
  return share == 0 ? "0 %" : fixed(100 * share, 1) + " %"
}

/// A number within a style: enough digits, and no exponent.
func styleNumber(_ value: Double) -> Markup { Markup(trusted: fixed(value, 3)) }

/// A table that scrolls by itself where the page is narrow.
func scrollingTable(_ label: String, _ rows: Markup) -> Markup {
  """
  <div class="scroll" role="region" aria-label="\(label)" tabindex="0"><table>
  <caption class="unseen">\(label)</caption>
  \(rows)
  </table></div>
  """
}

/// A file's name that a narrow page breaks where its parts meet.
func breakable(_ name: String) -> Markup {
  var result = Markup.empty
  var part = ""
  for character in name {
    part.append(character)
    guard "._-/".contains(character) else { continue }
    result += "\(part)<wbr>"
    part = ""
  }
  return result + Markup(text: part)
}
