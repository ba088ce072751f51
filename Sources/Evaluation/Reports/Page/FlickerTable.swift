import Diagnostics

extension ReportSection {
  /// How much both networks change between nearly equal frames, where that was measured.
  var flickerTable: Markup {
    guard let worst = report.worstTemporalChange else { return .empty }
    let rows = report.temporalChanges.markup { name, frames, change in
      """
      <tr><th scope="row">\(breakable(name))</th><td>\(frames)</td>\
      <td class="number">\(signed(ratioInDecibels(change.reference), 2))</td>\
      <td class="number">\(signed(ratioInDecibels(change.candidate), 2))</td>\
      <td class="number">\(signed(change.extra, 2))</td></tr>
      """
    }
    return """
      <section aria-labelledby="\(id)-flicker">
      <h2 id="\(id)-flicker">Flicker between nearly equal frames</h2>
      <p>At most \(signed(worst.change.extra, 2)) dB more change than the reference: \(worst.name), \(worst.frames).</p>
      \(scrollingTable("Flicker", """
        <thead><tr><th scope="col">Picture</th><th scope="col">Frames</th>\
        <th scope="col" class="number">Reference, dB</th><th scope="col" class="number">Model, dB</th>\
        <th scope="col" class="number">Extra, dB</th></tr></thead>
        <tbody>
        \(rows)
        </tbody>
        """))
      </section>
      """
  }
}
