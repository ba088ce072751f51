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
