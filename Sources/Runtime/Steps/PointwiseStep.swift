import CKernels

/// Stages over a whole buffer, in place or into another one.
struct PointwiseStep: UnitStep {
  let source: BufferID
  let output: BufferID
  let layout: MapLayout
  /// What takes its coefficients from the statistics that the step before has measured.
  var live: LiveNormalization?
  var stages: [Stage]

  var reads: [BufferID] { [source] + stages.compactMap(\.other) }

  var workEstimate: Double { Double(layout.floatCount * (4 + 4 * stages.count)) }

  var input: BufferID? { source }
  var unitCount: Int { PixelSpans(layout).count }
  func outputRows(of unit: Int) -> Range<Int> { PixelSpans(layout).rows(of: unit, width: layout.width) }
  func inputRows(of unit: Int) -> Range<Int> { outputRows(of: unit) }

  func prepare(on machine: Machine) { live?.update(machine.spreads.base, pixels: layout.pixels) }

  func run(_ units: [Int], on machine: Machine) {
    let spans = PixelSpans(layout)
    machine.workers.forEach(units.count) { position, _ in
      let span = spans[units[position]]
      machine.apply(
        stages, first: span.lowerBound, count: span.count, of: output, pixelStride: layout.pixelStride,
        from: source)
    }
  }
}
