import CKernels

/// Stages over a whole buffer, in place or into another one.
struct PointwiseStep: Step {
  let source: BufferID
  let output: BufferID
  let layout: MapLayout
  /// What takes its coefficients from the statistics that the step before has measured.
  var live: LiveNormalization?
  var stages: [Stage]

  var reads: [BufferID] { [source] + stages.compactMap(\.other) }

  func run(on machine: Machine) {
    live?.update(machine.spreads.base, pixels: layout.pixels)
    let spans = PixelSpans(layout)
    machine.workers.forEach(spans.count) { index, _ in
      let span = spans[index]
      machine.apply(
        stages, first: span.lowerBound, count: span.count, of: output, pixelStride: layout.pixelStride,
        from: source)
    }
  }
}
