import Diagnostics
import Glibc

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
  }

  private let lines: [(name: String, points: [Point])]
  private let x: Axis
  private let y: Axis

  private static let width = 760.0
  private static let height = 460.0
  private static let left = 64.0
  private static let right = 24.0
  private static let top = 34.0
  private static let bottom = 58.0

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
    let largest = points.map(\.bytes).max() ?? 1
    x = Axis(from: 0, to: largest * 1.06, ticks: 6)
    let levels = points.map(\.psnr).filter(\.isFinite)
    y = Axis(from: min(levels.min() ?? 20, 20), to: (levels.max() ?? 60) + 2, ticks: 6)
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
    let (width, height) = (Self.number(Self.width), Self.number(Self.height))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" role="img" aria-labelledby="plot-title plot-text">
      <title id="plot-title">Size against the PSNR of the worst picture</title>
      <desc id="plot-text">\(description)</desc>
      \(style)
      <g class="axes">
      \(xTicks)
      \(yTicks)
      <text x="\(Self.number((Self.left + Self.width - Self.right) / 2))" y="\(Self.number(Self.height - 12))" \
      text-anchor="middle">File size, \(unit.name)</text>
      <text x="16" y="\(Self.number((Self.top + Self.height - Self.bottom) / 2))" text-anchor="middle" \
      transform="rotate(-90 16 \(Self.number((Self.top + Self.height - Self.bottom) / 2)))">PSNR of the worst picture, dB</text>
      </g>
      \(lines.enumerated().markup { index, line in curve(index, line.name, line.points) })
      </svg>
      """
  }

  private var description: String {
    lines.map { line in
      let points = line.points.map { "\($0.label) \(byteSize(Int($0.bytes))) \(fixed($0.psnr, 1)) dB" }
      return line.name + ": " + (points.isEmpty ? "nothing to show" : points.joined(separator: ", "))
    }.joined(separator: "; ")
  }
}

// MARK: - Axes

/// A scale with ticks at round numbers.
private struct Axis {
  let lower: Double
  let upper: Double
  let ticks: [Double]

  init(from lower: Double, to upper: Double, ticks count: Int) {
    let span = max(upper - lower, .leastNormalMagnitude)
    let rough = span / Double(count)
    let power = pow(10, floor(log10(rough)))
    let step = [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 >= rough } ?? 10 * power
    self.lower = (lower / step).rounded(.down) * step
    self.upper = max(upper, self.lower + step)
    let first = self.lower
    ticks = (0...Int((self.upper - first) / step)).map { first + Double($0) * step }
  }

  /// Where a value is, 0…1.
  func place(_ value: Double) -> Double { (value - lower) / (upper - lower) }
}

extension RateDistortionPlot {
  private var unit: (name: String, size: Double) { x.upper >= 2e6 ? ("MB", 1e6) : ("kB", 1e3) }

  private func place(x value: Double) -> Double {
    Self.left + x.place(value) * (Self.width - Self.left - Self.right)
  }

  private func place(y value: Double) -> Double {
    Self.height - Self.bottom - y.place(value) * (Self.height - Self.top - Self.bottom)
  }

  private var xTicks: Markup {
    x.ticks.markup { tick in
      let at = Self.number(place(x: tick))
      let text = fixed(tick / unit.size, tick / unit.size == (tick / unit.size).rounded() ? 0 : 2)
      return """
        <line x1="\(at)" x2="\(at)" y1="\(Self.number(Self.top))" y2="\(Self.number(Self.height - Self.bottom))"/>\
        <text x="\(at)" y="\(Self.number(Self.height - Self.bottom + 20))" text-anchor="middle">\(text)</text>
        """
    }
  }

  private var yTicks: Markup {
    y.ticks.markup { tick in
      let at = place(y: tick)
      return """
        <line x1="\(Self.number(Self.left))" x2="\(Self.number(Self.width - Self.right))" y1="\(Self.number(at))" \
        y2="\(Self.number(at))"/><text x="\(Self.number(Self.left - 8))" y="\(Self.number(at + 4.5))" \
        text-anchor="end">\(fixed(tick, tick == tick.rounded() ? 0 : 1))</text>
        """
    }
  }
}

// MARK: - Lines

extension RateDistortionPlot {
  private func curve(_ index: Int, _ name: String, _ points: [Point]) -> Markup {
    let style: Markup = "curve-\(index % 4)"
    let finite = points.filter { !$0.isIdentical }
    let path = finite.map {
      "\(Self.number(place(x: $0.bytes)).source),\(Self.number(place(y: $0.psnr)).source)"
    }
    // The names stand at the end of their lines, one below the other where several lines end.
    let label: Markup = """
      <g class="key">\(marker(index, Self.left + 16, Self.top + 10 + 22 * Double(index), isOpen: false))\
      <text x="\(Self.number(Self.left + 30))" y="\(Self.number(Self.top + 15 + 22 * Double(index)))">\(name)</text></g>
      """
    return """
      <g class="\(style)">
      <polyline points="\(Markup(trusted: path.joined(separator: " ")))"/>
      \(points.markup { point in dot(index, point) })
      \(label)
      </g>
      """
  }

  private func dot(_ index: Int, _ point: Point) -> Markup {
    let (atX, atY) = (place(x: point.bytes), point.isIdentical ? Self.top : place(y: point.psnr))
    let level = point.isIdentical ? "identical" : fixed(point.psnr, 2) + " dB"
    // Beside the line rather than on it; at the right edge on the other side.
    let isNearEdge = atX > Self.width - Self.right - 90
    return """
      <g><title>\(point.label): \(grouped(Int(point.bytes))) bytes, \(level)</title>\
      \(marker(index, atX, atY, isOpen: point.isIdentical))\
      <text x="\(Self.number(atX + (isNearEdge ? -10 : 10)))" y="\(Self.number(atY + 15))" \
      text-anchor="\(isNearEdge ? "end" : "start")">\(point.label)\(point.isIdentical ? " (identical)" : "")</text></g>
      """
  }

  /// A circle, a square, a triangle or a diamond.
  private func marker(_ index: Int, _ x: Double, _ y: Double, isOpen: Bool) -> Markup {
    let style: Markup = isOpen ? "open" : "dot"
    func polygon(_ corners: [(Double, Double)]) -> Markup {
      let points = corners.map { "\(Self.number(x + $0.0).source),\(Self.number(y + $0.1).source)" }
      return "<polygon class=\"\(style)\" points=\"\(Markup(trusted: points.joined(separator: " ")))\"/>"
    }
    switch index % 4 {
    case 0: return "<circle class=\"\(style)\" cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"5\"/>"
    case 1: return polygon([(-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)])
    case 2: return polygon([(0, -6), (5.5, 4.5), (-5.5, 4.5)])
    default: return polygon([(0, -6.5), (6, 0), (0, 6.5), (-6, 0)])
    }
  }

  private static func number(_ value: Double) -> Markup { Markup(trusted: fixed(value, 1)) }

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

/// The colours of a plot, as CSS says them.
struct PlotColours {
  let ground: String
  let ink: String
  let line: String
  let curves: [String]

  static let light = PlotColours(
    ground: "#ffffff", ink: "#15191f", line: "#dde1e7", curves: ["#1f6fb2", "#a86400", "#0a8a68", "#b0568c"])
  static let dark = PlotColours(
    ground: "#101317", ink: "#e7eaee", line: "#2c343d", curves: ["#5aa2e0", "#e5a633", "#3dbd97", "#d98abb"])
  /// Those of the page that the plot stands in.
  static let page = PlotColours(
    ground: "var(--ground)", ink: "var(--ink)", line: "var(--line)",
    curves: (0..<4).map { "var(--kind-\($0))" })

  /// The rules.
  var style: Markup {
    let curves = curves.enumerated().map { index, colour in
      """
      svg.plot .curve-\(index) polyline { stroke: \(colour); } svg.plot .curve-\(index) .dot { fill: \(colour); }
      svg.plot .curve-\(index) .open { stroke: \(colour); }
      """
    }
    return Markup(
      trusted: """
        svg.plot { background: \(ground); }
        svg.plot text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: \(ink); }
        svg.plot .axes line { stroke: \(line); stroke-width: 1; }
        svg.plot .key text { font-weight: 600; }
        svg.plot polyline { fill: none; stroke-width: 2; }
        svg.plot .open { fill: \(ground); stroke-width: 2; }
        \(curves.joined(separator: "\n"))
        """)
  }
}
