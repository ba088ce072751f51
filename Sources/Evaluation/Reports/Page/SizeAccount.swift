import Diagnostics

/// The bytes of one layer by kind of storage.
private struct LayerBytes {
  let name: String
  var byKind: [String: Int] = [:]
  var total: Int { byKind.values.reduce(0, +) }
}

extension ReportSection {
  /// Where the bytes are, by layer and kind of storage: a bar, its legend, and a table that adds up to the file.
  var sizeAccount: Markup {
    guard !report.shares.isEmpty else { return .empty }
    let total = report.shares.reduce(0) { $0 + $1.byteCount }
    return """
      <section aria-labelledby="\(id)-size">
      <h2 id="\(id)-size">Where the bytes are</h2>
      <div class="sizebar" role="img" aria-label="\(barDescription(total))">\(segments)</div>
      <ul class="legend">\(legend(total))</ul>
      <details>
      <summary>Every layer, \(grouped(total)) bytes in all</summary>
      \(scrollingTable("Bytes by layer and kind of storage", table(total)))
      </details>
      </section>
      """
  }

  /// The kinds of storage, the largest first; what is no tensor comes last.
  private var kinds: [(name: String, byteCount: Int)] {
    var kinds: [String: Int] = [:]
    for share in report.shares { kinds[share.storage ?? Self.rest, default: 0] += share.byteCount }
    return kinds.sorted { left, right in
      (left.key == Self.rest ? 1 : 0, -left.value, left.key) < (
        right.key == Self.rest ? 1 : 0, -right.value, right.key
      )
    }.map { ($0.key, $0.value) }
  }

  private static let rest = "header and alignment"

  /// A kind's colour and pattern: the first four have their own.
  private func style(_ kind: String) -> Markup {
    if kind == Self.rest { return "kind-rest" }
    let place = kinds.firstIndex { $0.name == kind } ?? 0
    return "kind-\(min(place, 3))"
  }

  private func barDescription(_ total: Int) -> String {
    kinds.map { "\($0.name) \(percent(Double($0.byteCount) / Double(total)))" }.joined(separator: ", ")
  }

  private var segments: Markup {
    report.shares.filter { $0.byteCount > 0 }.markup { share in
      let kind = share.storage ?? Self.rest
      return """
        <span class="\(style(kind))" style="flex-grow:\(share.byteCount)" \
        title="\(share.layer): \(grouped(share.byteCount)) bytes, \(kind)"></span>
        """
    }
  }

  private func legend(_ total: Int) -> Markup {
    kinds.markup { kind in
      """
      <li><span class="swatch \(style(kind.name))"></span>\(kind.name) \
      <span class="detail">\(grouped(kind.byteCount)) bytes, \(percent(Double(kind.byteCount) / Double(total)))</span></li>
      """
    }
  }

  private func table(_ total: Int) -> Markup {
    var layers: [LayerBytes] = []
    for share in report.shares {
      let place = layers.firstIndex { $0.name == share.layer } ?? layers.endIndex
      if place == layers.endIndex { layers.append(LayerBytes(name: share.layer)) }
      layers[place].byKind[share.storage ?? Self.rest, default: 0] += share.byteCount
    }
    let kinds = kinds
    let head = kinds.markup { "<th scope=\"col\" class=\"number\">\($0.name)</th>" }
    let rows = layers.markup { layer in
      let cells = kinds.markup { kind in
        "<td class=\"number\">\(layer.byKind[kind.name].map(grouped) ?? "")</td>"
      }
      return """
        <tr><th scope="row">\(layer.name)</th>\(cells)<td class="number">\(grouped(layer.total))</td>\
        <td class="number">\(percent(Double(layer.total) / Double(total)))</td></tr>
        """
    }
    let sums = kinds.markup { "<td class=\"number\">\(grouped($0.byteCount))</td>" }
    return """
      <thead><tr><th scope="col">Layer</th>\(head)<th scope="col" class="number">Bytes</th>\
      <th scope="col" class="number">Share</th></tr></thead>
      <tbody>
      \(rows)
      </tbody>
      <tfoot><tr><th scope="row">The file</th>\(sums)<td class="number">\(grouped(total))</td>\
      <td class="number">100 %</td></tr></tfoot>
      """
  }
}
