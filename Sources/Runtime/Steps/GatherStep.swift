import CKernels

/// A view made into a buffer of its own, for steps that cannot read through it.
struct GatherStep: UnitStep {
  let view: SamplingView
  let sourceLayout: MapLayout
  let output: BufferID
  let layout: MapLayout
  var stages: [Stage] = []

  var reads: [BufferID] { [view.buffer] + stages.compactMap(\.other) }

  var workEstimate: Double { Double(layout.floatCount * (4 + 4 * stages.count)) }

  var input: BufferID? { view.buffer }
  var unitCount: Int { layout.height }
  func outputRows(of unit: Int) -> Range<Int> { unit..<unit + 1 }
  func inputRows(of unit: Int) -> Range<Int> { view.rows[unit...unit].indexRange }

  func run(_ units: [Int], on machine: Machine) {
    let source = UnsafePointer(machine.pointer(view.buffer))
    machine.workers.forEach(units.count) { position, _ in
      let row = units[position]
      let target = machine.pointer(output) + row * layout.rowStride
      if view.rows[row] < 0 {
        target.update(repeating: 0, count: layout.rowStride)
      } else {
        view.columns.withUnsafeBufferPointer { columns in
          ck_gather_row(
            source + Int(view.rows[row]) * sourceLayout.rowStride, columns.baseAddress, layout.width,
            layout.pixelStride, target)
        }
      }
      if !stages.isEmpty {
        machine.apply(
          stages, first: row * layout.width, count: layout.width, of: output, pixelStride: layout.pixelStride)
      }
    }
  }
}
