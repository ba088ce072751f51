/// The order in which the steps of one pass take turns, band by band: whoever wants rows has them computed first.
struct BandSchedule {
  /// A step that takes part.
  struct Entry {
    /// Its place in the plan.
    let index: Int
    let step: any UnitStep
    let order: UnitOrder
    /// The number of units that are done.
    var cursor = 0

    /// The first row of a buffer that is still to be read.
    func firstRowNeeded(of buffer: BufferID) -> Int {
      var row = Int.max
      if step.input == buffer { row = order.inputStarts[cursor] }
      if step.counterparts.contains(buffer) { row = min(row, order.firstRow(cursor)) }
      return row
    }

    func reads(_ buffer: BufferID) -> Bool {
      step.input == buffer || step.counterparts.contains(buffer)
    }
  }

  /// The steps in the plan's order.
  private(set) var entries: [Entry]
  /// What the pass is for.
  let target: Int
  /// The steps whose output is kept, and so must be whole in the end.
  let kept: [Int]

  init(_ entries: [Entry], target: Int, kept: [Int]) {
    self.entries = entries
    self.target = target
    self.kept = kept
  }

  /// The rows of the target that are wanted at a time.
  static let bandRows = 16

  /// Runs the whole pass. `perform` is called with an entry and the positions of units in its order, while all of the
  /// cursors still stand before them.
  mutating func run(_ perform: (borrowing BandSchedule, _ entry: Int, _ positions: Range<Int>) -> Void) {
    let height = entries[target].order.height
    for row in stride(from: Self.bandRows, to: height, by: Self.bandRows) {
      complete(target, to: row, perform)
    }
    for entry in [target] + kept { complete(entry, to: entries[entry].order.height, perform) }
  }

  /// Completes the rows of an entry's output up to `row`.
  private mutating func complete(
    _ entry: Int, to row: Int,
    _ perform: (borrowing BandSchedule, _ entry: Int, _ positions: Range<Int>) -> Void
  ) {
    let order = entries[entry].order
    let step = entries[entry].step
    let first = entries[entry].cursor
    var end = first
    while end < order.starts.count, order.starts[end] < row { end += 1 }
    guard end > first else { return }
    if let input = step.input { complete(input, before: entry, to: order.inputEnds[end - 1], perform) }
    for other in step.counterparts { complete(other, before: entry, to: order.ends[end - 1], perform) }
    perform(self, entry, first..<end)
    entries[entry].cursor = end
  }

  /// Completes the rows of a buffer as the last entry before `entry` that writes it leaves them.
  private mutating func complete(
    _ buffer: BufferID, before entry: Int, to row: Int,
    _ perform: (borrowing BandSchedule, _ entry: Int, _ positions: Range<Int>) -> Void
  ) {
    let writer = (0..<entry).last { entries[$0].step.writes && entries[$0].step.output == buffer }
    if let writer { complete(writer, to: row, perform) }
  }

  /// The first row of a buffer that anybody still reads.
  func firstRowNeeded(of buffer: BufferID) -> Int {
    entries.reduce(Int.max) { min($0, $1.firstRowNeeded(of: buffer)) }
  }

  /// The first row of a window on a buffer that must stay while an entry runs units from `position` on.
  func windowStart(of buffer: BufferID, entry: Int, position: Int) -> Int {
    min(firstRowNeeded(of: buffer), entries[entry].order.firstRow(position))
  }
}
