/// The units of a step in the order in which bands take them, from the top of the map to its bottom, with what must be
/// known of their rows to run some of them.
final class UnitOrder {
  /// The units, by the first row that they write to.
  let units: [Int]
  /// The first row that each writes to.
  let starts: [Int]
  /// The end of the rows that it and those before it write to.
  let ends: [Int]
  /// The end of the input rows that it and those before it read.
  let inputEnds: [Int]
  /// The first input row that it or one after it reads; one entry more, for when all are done.
  let inputStarts: [Int]
  /// The end of the rows that all of them write to.
  let height: Int

  init(_ step: any UnitStep) {
    let rows = (0..<step.unitCount).map { step.outputRows(of: $0) }
    units = rows.indices.sorted { (rows[$0].lowerBound, $0) < (rows[$1].lowerBound, $1) }
    starts = units.map { rows[$0].lowerBound }
    var end = 0
    ends = units.map { unit in
      end = max(end, rows[unit].upperBound)
      return end
    }
    height = end
    let inputs = units.map { step.inputRows(of: $0) }
    var inputEnd = 0
    inputEnds = inputs.map { rows in
      inputEnd = max(inputEnd, rows.upperBound)
      return inputEnd
    }
    var inputStart = Int.max
    var starts = [inputStart]
    for rows in inputs.reversed() {
      if !rows.isEmpty { inputStart = min(inputStart, rows.lowerBound) }
      starts.append(inputStart)
    }
    inputStarts = starts.reversed()
  }

  /// The first output row that the units from `cursor` on touch.
  func firstRow(_ cursor: Int) -> Int { cursor < starts.count ? starts[cursor] : Int.max }
}
