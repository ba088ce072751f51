/// Looks for the greatest number at which a margin, which falls as the number rises, is not negative yet.
///
/// The margin need not fall at every place, since rounding is not smooth: what was measured decides, and a number that
/// holds above one that fails is taken.
struct StepSearch {
  /// Where to begin.
  var start: Double
  /// About how much the margin changes where the number rises by one; negative.
  var slope: Double
  /// The margin that is small enough to end with.
  var tolerance: Double
  /// The distance from a number that fails that is small enough to end with.
  var resolution: Double
  /// The numbers that may be tried.
  var range: ClosedRange<Double>
  /// How many may be tried.
  var limit = 16

  /// Measures margins until one is small enough; whoever measures keeps what it finds.
  /// - Returns: the greatest number measured whose margin is not negative; nil where there is none.
  @discardableResult
  func run<Failure>(_ margin: (Double) throws(Failure) -> Double) throws(Failure) -> Double? {
    var holding: (number: Double, margin: Double)?
    var failing: (number: Double, margin: Double)?
    var number = min(max(start, range.lowerBound), range.upperBound)
    var reach = 1.0
    var lastWidth: Double?
    for _ in 0..<limit {
      let found = try margin(number)
      if found >= 0 {
        if holding.map({ $0.number < number }) ?? true { holding = (number, found) }
        if let fails = failing, fails.number <= number { failing = nil }
      } else if failing.map({ number < $0.number }) ?? true {
        failing = (number, found)
      }
      if let holding, holding.margin <= tolerance || holding.number == range.upperBound { break }
      switch (holding, failing) {
      case (let below?, let above?):
        let width = above.number - below.number
        if width <= resolution { return below.number }
        // Where a straight line would have half the tolerance; the middle where such lines have not halved the bracket.
        let aim = (below.margin - tolerance / 2) / (below.margin - above.margin)
        let isSlow = lastWidth.map { 2 * width > $0 } ?? false
        number = below.number + width * (isSlow || !aim.isFinite ? 0.5 : min(max(aim, 0.1), 0.9))
        lastWidth = width
      case (let below?, nil):
        number = below.number + min(max((below.margin - tolerance / 2) / -slope, resolution) * reach, 8)
        reach *= 1.5
      case (nil, let above?):
        if above.number == range.lowerBound { return nil }
        number = above.number - max((tolerance / 2 - above.margin) / -slope, resolution) * reach
        reach *= 1.5
      case (nil, nil): break
      }
      number = min(max(number, range.lowerBound), range.upperBound)
    }
    return holding?.number
  }
}
