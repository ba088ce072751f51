import ModelGraph

/// How a plan is run in less memory than its maps would take: in passes over the picture, each of which takes turns among
/// its steps band by band.
///
/// A pass ends where statistics are wanted, since a norm's are those of the whole map. What it has computed is either kept
/// until it is last read, or computed anew, without its measurement, in every pass that wants it; then only a window of
/// some rows is ever there. A map that is kept may be written over one that is read for the last time meanwhile.
struct BandPlan {
  /// Rows of a map that is not kept.
  struct Window {
    let buffer: BufferID
    let rows: Int
  }

  /// One pass.
  struct Pass {
    let schedule: BandSchedule
    let windows: [Window]
    let readsPicture: Bool
    /// About how long it takes; see `Step.workEstimate`.
    let work: Double
  }

  let passes: [Pass]
  /// Where the maps that are kept lie, by buffer, and the memory that they share, in floats.
  let placement: (offsets: [Int], floats: Int)
  /// The most that maps, windows and pictures take at a time, in bytes.
  let peakBytes: Int
}

/// Finds the band plan that computes the least anew within a limit.
struct BandPlanner {
  private let layouts: [MapLayout]
  private let input: BufferID
  private let pictureFloats: (input: Int, output: Int)
  /// The picture's rows, the plan's steps, the result's rows.
  private let steps: [any UnitStep]
  private let orders: [UnitOrder]
  /// The last step of each pass.
  private let targets: [Int]
  /// The pass in which each step is run first.
  private let passes: [Int]
  private let writers: [[Int]]
  private let readers: [[Int]]

  /// Gets ready; nil where a step cannot be run in parts.
  init?(_ plan: Plan, source: SourceStep, sink: SinkStep) {
    var steps: [any UnitStep] = [source]
    for step in plan.steps {
      guard let step = step as? any UnitStep else { return nil }
      steps.append(step)
    }
    steps.append(sink)
    self.steps = steps
    layouts = plan.layouts
    input = plan.input
    pictureFloats = (plan.layout(plan.input).pixels * 3, sink.size.width * sink.size.height * 3)
    orders = steps.map(UnitOrder.init)
    targets = steps.indices.filter { steps[$0].isMeasuring } + [steps.count - 1]
    passes = steps.indices.map { [targets] step in targets.firstIndex { step <= $0 } ?? 0 }
    writers = layouts.indices.map { buffer in
      steps.indices.filter { steps[$0].writes && steps[$0].output.index == buffer }
    }
    readers = layouts.indices.map { buffer in
      steps.indices.filter { step in
        steps[step].input?.index == buffer || steps[step].counterparts.contains { $0.index == buffer }
      }
    }
  }

  /// The plan that computes least anew among those found within `limit` bytes, or else the smallest one found.
  func plan(limit: Int) -> BandPlan? {
    var kept = Set(
      layouts.indices.filter { buffer in
        guard let first = writers[buffer].first, buffer != input.index else { return false }
        return (writers[buffer] + readers[buffer]).contains { passes[$0] > passes[first] }
      })
    guard var best = draft(keeping: kept) else { return nil }
    var target = limit
    while true {
      if best.excess(over: target) == 0 {
        let plan = best.placed()
        if plan.peakBytes <= limit || target < limit / 2 { return plan }
        target -= plan.peakBytes - limit  // the maps do not fit together as well as was hoped
      }
      var next: (buffer: Int, draft: Draft)?
      for buffer in kept.sorted() {
        guard let draft = draft(keeping: kept.subtracting([buffer])) else { continue }
        let rank = (draft.excess(over: target), draft.work)
        if let next, rank >= (next.draft.excess(over: target), next.draft.work) { continue }
        next = (buffer, draft)
      }
      guard let next, next.draft.excess(over: target) < best.excess(over: target) else {
        return best.placed()
      }
      kept.remove(next.buffer)
      best = next.draft
    }
  }
}

// MARK: - What it takes to keep some maps and not others

extension BandPlanner {
  private struct Draft {
    let passes: [BandPlan.Pass]
    /// The kept maps, by buffer.
    let buffers: [Int]
    let layouts: [MapLayout]
    let placement: BandPlacement
    /// What each pass needs besides the kept maps, in bytes.
    let extra: [Int]

    var work: Double { passes.reduce(0) { $0 + $1.work } }

    /// How far the passes are over a limit, in bytes, all together.
    func excess(over limit: Int) -> Int {
      extra.indices.reduce(0) { $0 + max(0, placement.floatsNeeded(in: $1) * 4 + extra[$1] - limit) }
    }

    func placed() -> BandPlan {
      let (places, floats) = placement.place()
      var offsets = [Int](repeating: 0, count: layouts.count)
      for (buffer, place) in zip(buffers, places) { offsets[buffer] = place }
      return BandPlan(
        passes: passes, placement: (offsets, floats), peakBytes: floats * 4 + (extra.max() ?? 0))
    }
  }

  /// The passes where exactly these buffers are kept; nil where something would be computed from a map that has changed
  /// since.
  private func draft(keeping kept: Set<Int>) -> Draft? {
    var schedules: [BandSchedule] = []
    for pass in targets.indices {
      guard let schedule = schedule(pass, keeping: kept) else { return nil }
      schedules.append(schedule)
    }
    let buffers = kept.sorted()
    var items: [BandPlacement.Item] = []
    for buffer in buffers {
      let used = schedules.indices.filter { pass in
        schedules[pass].entries.contains { entry in
          let buffer = BufferID(index: buffer)
          return entry.reads(buffer) || entry.step.writes && entry.step.output == buffer
        }
      }
      guard let first = used.first, let last = used.last else { return nil }
      items.append(.init(floats: layouts[buffer].floatCount, passes: first...last))
    }
    let lastReading = schedules.lastIndex { $0.entries.contains { $0.index == 0 } } ?? 0
    var passes: [BandPlan.Pass] = []
    var overlays: [BandPlacement.Overlay] = []
    var extra: [Int] = []
    for (pass, schedule) in schedules.enumerated() {
      let written = buffers.indices.filter { items[$0].passes.lowerBound == pass }
      let ending = buffers.indices.filter {
        items[$0].passes.upperBound == pass && items[$0].passes.lowerBound < pass
      }
      var rehearsal = Rehearsal(
        layouts: layouts, kept: kept,
        pairs: written.flatMap { lower in ending.map { (lower, $0, buffers[lower], buffers[$0]) } })
      guard rehearsal.run(schedule) else { return nil }
      overlays += rehearsal.overlays
      let windows = rehearsal.windows.sorted { $0.key < $1.key }.map {
        BandPlan.Window(buffer: BufferID(index: $0.key), rows: $0.value)
      }
      let windowFloats = windows.reduce(0) { $0 + layouts[$1.buffer.index].windowFloats($1.rows) }
      let pictures =
        (pass <= lastReading ? pictureFloats.input : 0)
        + (pass == schedules.count - 1 ? pictureFloats.output : 0)
      extra.append((windowFloats + pictures) * MemoryLayout<Float>.stride)
      passes.append(
        BandPlan.Pass(
          schedule: schedule, windows: windows, readsPicture: schedule.entries.contains { $0.index == 0 },
          work: schedule.entries.reduce(0) { $0 + $1.step.workEstimate }))
    }
    return Draft(
      passes: passes, buffers: buffers, layouts: layouts,
      placement: BandPlacement(items: items, overlays: overlays), extra: extra)
  }

  /// The steps of a pass: those it runs first for maps that are kept, its target, and what these are computed from.
  private func schedule(_ pass: Int, keeping kept: Set<Int>) -> BandSchedule? {
    let target = targets[pass]
    let isNew = { passes[$0] == pass }
    var wanted = steps.indices.filter {
      isNew($0) && steps[$0].writes && kept.contains(steps[$0].output.index)
    }
    wanted.append(target)
    var members: Set<Int> = []
    while let step = wanted.popLast() {
      guard members.insert(step).inserted else { continue }
      // An input that is the output too is what the writers before it have left there.
      for buffer in [steps[step].input].compactMap({ $0 }) + steps[step].counterparts {
        if !kept.contains(buffer.index) {
          wanted += writers[buffer.index].filter { $0 < step }
        } else if !isNew(step), writers[buffer.index].contains(where: { $0 > step && $0 <= target }) {
          return nil
        }
      }
    }
    let order = members.sorted()
    let entries = order.map { index in
      let step =
        index == target || !steps[index].isMeasuring ? steps[index] : steps[index].withoutMeasurement()
      return BandSchedule.Entry(index: index, step: step, order: orders[index])
    }
    return BandSchedule(
      entries, target: order.firstIndex(of: target) ?? 0,
      kept: order.indices.filter { entries[$0].step.writes && kept.contains(entries[$0].step.output.index) })
  }
}

/// A pass run without computing anything, to see how many rows of its windows are needed at a time, and how far maps
/// that lie over each other must be apart.
private struct Rehearsal {
  let layouts: [MapLayout]
  let kept: Set<Int>
  /// Maps that are written and maps that are read for the last time: as items of the placement, and as buffers.
  let pairs: [(lower: Int, upper: Int, lowerBuffer: Int, upperBuffer: Int)]
  private(set) var windows: [Int: Int] = [:]
  private var distances: [Int]

  init(
    layouts: [MapLayout], kept: Set<Int>,
    pairs: [(lower: Int, upper: Int, lowerBuffer: Int, upperBuffer: Int)]
  ) {
    self.layouts = layouts
    self.kept = kept
    self.pairs = pairs
    distances = [Int](repeating: 0, count: pairs.count)
  }

  var overlays: [BandPlacement.Overlay] {
    zip(pairs, distances).map { pair, distance in
      BandPlacement.Overlay(lower: pair.lower, upper: pair.upper, distance: distance)
    }
  }

  /// Returns whether every step reads what it should: nothing that another one has already changed.
  mutating func run(_ schedule: BandSchedule) -> Bool {
    var schedule = schedule
    var isSound = true
    schedule.run { now, index, positions in
      let entry = now.entries[index]
      guard entry.step.writes else { return }
      let buffer = entry.step.output
      let top = entry.order.ends[positions.upperBound - 1]
      for earlier in now.entries[..<index] where earlier.firstRowNeeded(of: buffer) < top { isSound = false }
      guard kept.contains(buffer.index) else {
        let start = now.windowStart(of: buffer, entry: index, position: positions.lowerBound)
        windows[buffer.index] = max(windows[buffer.index] ?? 0, top - start)
        return
      }
      for (number, pair) in pairs.enumerated() where pair.lowerBuffer == buffer.index {
        let needed = now.firstRowNeeded(of: BufferID(index: pair.upperBuffer))
        guard needed != Int.max else { continue }
        let distance = top * layouts[buffer.index].rowStride - needed * layouts[pair.upperBuffer].rowStride
        distances[number] = max(distances[number], (distance + 15) / 16 * 16)
      }
    }
    return isSound
  }
}

extension MapLayout {
  /// The floats of some rows, rounded up to a cache line.
  func windowFloats(_ rows: Int) -> Int { (rows * rowStride + 15) / 16 * 16 }
}
