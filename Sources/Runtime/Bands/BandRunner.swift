import Diagnostics

/// Runs a band plan.
struct BandRunner {
  let plan: BandPlan
  let machine: Machine
  let layouts: [MapLayout]
  let source: SourceStep.Box

  /// Where the rows of a window lie.
  private struct Window {
    let memory: UnsafeMutablePointer<Float>
    let rows: Int
    let rowStride: Int
    /// The first row that is there, and the end of those that were written.
    var start = 0
    var end = 0

    /// Makes room for rows up to `end`, where those before `needed` may go.
    mutating func makeRoom(upTo end: Int, from needed: Int) {
      if end - start > rows {
        let kept = max(self.end - needed, 0)
        memory.update(from: memory + (needed - start) * rowStride, count: kept * rowStride)
        start = needed
      }
      precondition(end - start <= rows, "the rehearsal has seen every window")
      self.end = max(self.end, end)
    }
  }

  /// Runs all passes; tells `progress` the share that is done.
  /// - Throws: `.badInput` when there is not enough memory.
  func run(progress: (Double) -> Void) throws(StyleModelError) {
    let total = plan.passes.reduce(0) { $0 + $1.work }
    var done = 0.0
    for (index, pass) in plan.passes.enumerated() {
      if !plan.passes[index...].contains(where: \.readsPicture) { source.picture = nil }
      let memory = try AlignedMemory<Float>(
        zeros: pass.windows.reduce(0) { $0 + layouts[$1.buffer.index].windowFloats($1.rows) })
      var windows: [BufferID: Window] = [:]
      var offset = 0
      for window in pass.windows {
        let layout = layouts[window.buffer.index]
        windows[window.buffer] = Window(
          memory: memory.base + offset, rows: window.rows, rowStride: layout.rowStride)
        offset += layout.windowFloats(window.rows)
      }
      var schedule = pass.schedule
      schedule.run { now, index, positions in
        let entry = now.entries[index]
        let buffer = entry.step.output
        if entry.step.writes, var window = windows[buffer] {
          window.makeRoom(
            upTo: entry.order.ends[positions.upperBound - 1],
            from: now.windowStart(of: buffer, entry: index, position: positions.lowerBound))
          windows[buffer] = window
          // Steps count rows from the map's top, which may lie before the memory that there is.
          machine.place(buffer, at: window.memory - window.start * window.rowStride)
        }
        entry.step.run(Array(entry.order.units[positions]), on: machine)
        done += entry.step.workEstimate * Double(positions.count) / Double(entry.order.units.count)
        progress(min(done / total, 1))
      }
      let target = pass.schedule.entries[pass.schedule.target]
      target.step.finish(on: machine)
      // What comes next takes its coefficients from the statistics before the next measurement.
      if let next = machine.plan.steps.dropFirst(target.index).first as? any UnitStep {
        next.prepare(on: machine)
      }
    }
  }
}
