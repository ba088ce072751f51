/// Finds places for the names of points so that none covers another, a point or the edge, as far as there is room.
struct PlotLabels {
  /// A name's place: the start, the middle or the end of its base line.
  struct Place: Hashable {
    var x: Double
    var y: Double
    /// As SVG's `text-anchor` says it.
    var anchor: String
  }

  private struct Box {
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double

    func overlap(_ other: Box) -> Double {
      max(0, min(right, other.right) - max(left, other.left))
        * max(0, min(bottom, other.bottom) - max(top, other.top))
    }
  }

  private var taken: [Box]
  private let room: Box

  /// - Parameters:
  ///   - points: all points, where they are drawn.
  ///   - width: the part of the plot that names may stand in, from 0.
  ///   - height: its height, from 0.
  init(points: [(x: Double, y: Double)], width: Double, height: Double) {
    taken = points.map { Box(left: $0.x - 6, right: $0.x + 6, top: $0.y - 6, bottom: $0.y + 6) }
    room = Box(left: 0, right: width, top: 0, bottom: height)
  }

  /// The place around a point that is least in the way; of equals the first: right below, right, left above, ….
  mutating func place(_ text: String, at point: (x: Double, y: Double)) -> Place {
    // Of 13 pixels, a letter is about 7 wide.
    let width = Double(text.count) * 7.2
    let candidates: [(dx: Double, dy: Double, anchor: String)] = [
      (9, 15, "start"), (11, 4.5, "start"), (-9, -8, "end"), (-11, 4.5, "end"), (0, -11, "middle"),
      (0, 21, "middle"), (9, -8, "start"), (-9, 15, "end"), (14, 28, "start"), (-14, -20, "end"),
    ]
    let scored = candidates.enumerated().map { order, candidate in
      let base = (x: point.x + candidate.dx, y: point.y + candidate.dy)
      let left =
        candidate.anchor == "start" ? base.x : base.x - (candidate.anchor == "end" ? width : width / 2)
      let box = Box(left: left, right: left + width, top: base.y - 11, bottom: base.y + 3)
      let outside = width * 14 - box.overlap(room)
      let covered = taken.reduce(0) { $0 + $1.overlap(box) }
      return (
        cost: outside + covered, order: order, box: box,
        place: Place(x: base.x, y: base.y, anchor: candidate.anchor)
      )
    }
    guard let best = scored.min(by: { ($0.cost, $0.order) < ($1.cost, $1.order) }) else {
      return Place(x: point.x, y: point.y, anchor: "start")
    }
    taken.append(best.box)
    return best.place
  }
}
