import Diagnostics

extension EvaluationReport {
  /// The layer whose own noise is greatest beside its signal; nil where no layer was measured or none adds any.
  var worstLayer: LayerNoise? {
    layers.filter { $0.relativeNoise > 0 }.max { $0.relativeNoise < $1.relativeNoise }
  }
}

extension ReportSection {
  /// What each layer adds, in the network's order, so that the one that hurts is seen at once.
  var layerTable: Markup {
    guard let worst = report.worstLayer else { return .empty }
    let total = report.layers.reduce(0) { $0 + $1.relativeNoise }
    let rows = report.layers.enumerated().markup { index, layer in
      row(index + 1, layer, total: total, worst: worst)
    }
    return """
      <section aria-labelledby="\(id)-layers">
      <h2 id="\(id)-layers">Layers</h2>
      <p>The noisiest layer by itself is <strong>\(worst.name)</strong>: \(fixed(worst.ownRatio, 1)) dB, \
      \(percent(worst.relativeNoise / total)) of the noise that all layers add.</p>
      \(scrollingTable("Signal-to-noise by layer", """
        <thead><tr><th scope="col" class="number roomy">#</th><th scope="col">Layer</th><th scope="col" class="roomy">Stored as</th>\
        <th scope="col" class="number">Own, dB</th><th scope="col" class="wide">Share of the noise</th>\
        <th scope="col" class="number">Arrived, dB</th></tr></thead>
        <tbody>
        \(rows)
        </tbody>
        """))
      </section>
      """
  }

  private func row(_ number: Int, _ layer: LayerNoise, total: Double, worst: LayerNoise) -> Markup {
    let isWorst = layer == worst
    // The longest bar fills its place: what matters is how the layers compare.
    let length = layer.relativeNoise / worst.relativeNoise
    let share = layer.relativeNoise / total
    let mark: Markup = isWorst ? " <span class=\"mark\">▲ noisiest</span>" : .empty
    return """
      <tr\(isWorst ? " class=\"worst\"" : Markup.empty)><td class="number roomy">\(number)</td>\
      <th scope="row">\(breakable(layer.name))\(mark)<br><span class="detail roomy">\(layer.shape)</span></th><td class="roomy">\(layer.storage)</td>\
      <td class="number">\(ratio(layer.ownRatio))</td>\
      <td class="wide"><div class="meter"><span class="bar" style="--share:\(styleNumber(length))"></span>\
      <span>\(percent(share))</span></div></td>\
      <td class="number">\(ratio(layer.arrivedRatio))</td></tr>
      """
  }

  private func ratio(_ value: Double) -> String { value == .infinity ? "no noise" : fixed(value, 1) }
}
