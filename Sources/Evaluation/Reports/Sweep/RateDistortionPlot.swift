import Diagnostics

/// Size against the PSNR of the worst picture, one line a network: an SVG that stands by itself or within a page.
///
/// Every line has its own colour, shape of marker and label, and every point the name of its scheme. A point whose
/// pictures are identical has no PSNR: it stands at the upper edge with an open marker and says so.
struct RateDistortionPlot {
  private struct Point {
    let label: String
    let bytes: Double
    let psnr: Double
    var isIdentical: Bool { psnr == .infinity }
    var text: String { isIdentical ? label + " (identical)" : label }
  }

  private let lines: [(name: String, points: [Point])]
  private let x: PlotAxis
  private let y: PlotAxis
  /// Where the plot begins, below the key.
  private let top: Double
  private let height: Double

  private static let width = 800.0
  private static let left = 64.0
  private static let right = 20.0
  private static let bottom = 58.0
  private static let keyLine = 22.0

  init(_ sweep: Sweep) {
    lines = sweep.curves.map { curve in
      let points = curve.points.compactMap { report in
        report.isComplete
          ? report.worstPSNR.map {
            Point(
              label: report.candidate.storage, bytes: Double(report.candidate.byteCount),
              psnr: $0.quality.psnr)
          } : nil
      }
      return (curve.source.name, points.sorted { ($0.bytes, $0.psnr) < ($1.bytes, $1.psnr) })
    }
    let points = lines.flatMap(\.points)
    x = .logarithmic(points.map(\.bytes))
    let levels = points.map(\.psnr).filter(\.isFinite)
    y = .even(levels + [20, (levels.max() ?? 40) + 2])
    top = 24 + Self.keyLine * Double(lines.count)
    height = top + 340 + Self.bottom
  }

  /// The plot as a file of its own.
  var document: String {
    let svg: Markup = """
      <?xml version="1.0" encoding="UTF-8"?>
      \(element(style: Self.standaloneStyle))

      """
    return svg.source
  }

  /// The plot within a page, whose style it takes its colours from.
  var embedded: Markup { element(style: .empty) }

  private func element(style: Markup) -> Markup {
    let middle = (x: (Self.left + Self.width - Self.right) / 2, y: (top + height - Self.bottom) / 2)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 \(number(Self.width)) \(number(height))" \
      width="\(number(Self.width))" height="\(number(height))" role="img" aria-labelledby="plot-title plot-text">
      <title id="plot-title">Size against the PSNR of the worst picture</title>
      <desc id="plot-text">\(description)</desc>
      \(style)
      <g class="axes">
      \(xTicks)
      \(yTicks)
      <text x="\(number(middle.x))" y="\(number(height - 12))" text-anchor="middle">File size (logarithmic)</text>
      <text x="16" y="\(number(middle.y))" text-anchor="middle" transform="rotate(-90 16 \(number(middle.y)))">\
      PSNR of the worst picture, dB</text>
      </g>
      \(curves)
      </svg>
      """
  }

  private var description: String {
    lines.map { line in
      let points = line.points.map { point in
        "\(point.label) \(byteSize(Int(point.bytes))) \(level(point))"
      }
      return line.name + ": " + (points.isEmpty ? "nothing to show" : points.joined(separator: ", "))
    }.joined(separator: "; ")
  }

  private func level(_ point: Point) -> String {
    point.isIdentical ? "identical" : fixed(point.psnr, 2) + " dB"
  }
}

// MARK: - Axes

extension RateDistortionPlot {
  private func place(_ point: Point) -> (x: Double, y: Double) {
    (
      Self.left + x.place(point.bytes) * (Self.width - Self.left - Self.right),
      point.isIdentical ? top : height - Self.bottom - y.place(point.psnr) * (height - Self.bottom - top)
    )
  }

  private var xTicks: Markup {
    x.ticks.markup { tick in
      let at = number(Self.left + tick.place * (Self.width - Self.left - Self.right))
      return """
        <line x1="\(at)" x2="\(at)" y1="\(number(top))" y2="\(number(height - Self.bottom))"/>\
        <text x="\(at)" y="\(number(height - Self.bottom + 20))" text-anchor="middle">\(tickText(tick.value))</text>
        """
    }
  }

  /// A round number of bytes: `50 kB`, `2 MB`.
  private func tickText(_ bytes: Double) -> String {
    switch bytes {
    case ..<1e3: "\(fixed(bytes, 0)) B"
    case ..<1e6: "\(fixed(bytes / 1e3, 0)) kB"
    case ..<1e9: "\(fixed(bytes / 1e6, 0)) MB"
    default: "\(fixed(bytes / 1e9, 0)) GB"
    }
  }

  private var yTicks: Markup {
    y.ticks.markup { tick in
      let at = height - Self.bottom - tick.place * (height - Self.bottom - top)
      return """
        <line x1="\(number(Self.left))" x2="\(number(Self.width - Self.right))" y1="\(number(at))" \
        y2="\(number(at))"/><text x="\(number(Self.left - 8))" y="\(number(at + 4.5))" \
        text-anchor="end">\(fixed(tick.value, tick.value == tick.value.rounded() ? 0 : 1))</text>
        """
    }
  }
}

// MARK: - Lines

extension RateDistortionPlot {
  private var curves: Markup {
    var labels = PlotLabels(
      points: lines.flatMap(\.points).map(place), width: Self.width, height: height - Self.bottom)
    return lines.enumerated().map { index, line in
      let path = line.points.filter { !$0.isIdentical }.map { pair(place($0)) }
      let keyY = 14 + Self.keyLine * Double(index)
      let dots = line.points.map { point in
        dot(index, point, label: labels.place(point.text, at: place(point)))
      }
      return """
        <g class="curve-\(index % 4)">
        <polyline points="\(Markup(trusted: path.joined(separator: " ")))"/>
        \(dots.joinedLines())
        <g class="key">\(marker(index, (Self.left + 8, keyY), isOpen: false))\
        <text x="\(number(Self.left + 22))" y="\(number(keyY + 4.5))">\(line.name)</text></g>
        </g>
        """
    }.joinedLines()
  }

  private func dot(_ index: Int, _ point: Point, label: PlotLabels.Place) -> Markup {
    """
    <g><title>\(point.label): \(grouped(Int(point.bytes))) bytes, \(level(point))</title>\
    \(marker(index, place(point), isOpen: point.isIdentical))\
    <text x="\(number(label.x))" y="\(number(label.y))" text-anchor="\(label.anchor)">\(point.text)</text></g>
    """
  }

  /// A circle, a square, a triangle or a diamond.
  private func marker(_ index: Int, _ at: (x: Double, y: Double), isOpen: Bool) -> Markup {
    let style: Markup = isOpen ? "open" : "dot"
    func polygon(_ corners: [(Double, Double)]) -> Markup {
      let points = corners.map { pair((at.x + $0.0, at.y + $0.1)) }
      return "<polygon class=\"\(style)\" points=\"\(Markup(trusted: points.joined(separator: " ")))\"/>"
    }
    switch index % 4 {
    case 0: return "<circle class=\"\(style)\" cx=\"\(number(at.x))\" cy=\"\(number(at.y))\" r=\"5\"/>"
    case 1: return polygon([(-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)])
    case 2: return polygon([(0, -6), (5.5, 4.5), (-5.5, 4.5)])
    default: return polygon([(0, -6.5), (6, 0), (0, 6.5), (-6, 0)])
    }
  }

  private func number(_ value: Double) -> Markup { Markup(trusted: fixed(value, 1)) }

  private func pair(_ point: (x: Double, y: Double)) -> String { "\(fixed(point.x, 1)),\(fixed(point.y, 1))" }

  /// The style of the plot by itself, light or dark, in plain colours: not all that shows SVG knows variables.
  private static let standaloneStyle: Markup = """
    <style>
    \(PlotColours.light.style)
    @media (prefers-color-scheme: dark) {
    \(PlotColours.dark.style)
    }
    </style>
    """
}
