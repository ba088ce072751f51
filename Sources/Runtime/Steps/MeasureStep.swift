import CKernels

/// Mean and spread of every channel of a buffer that was not measured as it was written.
struct MeasureStep: UnitStep {
  let output: BufferID
  let layout: MapLayout
  var stages: [Stage] = []

  var reads: [BufferID] { [output] }
  var takesStages: Bool { false }
  var scratchBytes: Int { Measurement.scratchBytes(channels: layout.channels) }
  var spreadCount: Int { PixelSpans(layout).count * layout.channels }

  var workEstimate: Double { Double(layout.floatCount * 4) }

  var input: BufferID? { output }
  var writes: Bool { false }
  var isMeasuring: Bool { true }
  var unitCount: Int { PixelSpans(layout).count }
  func outputRows(of unit: Int) -> Range<Int> { PixelSpans(layout).rows(of: unit, width: layout.width) }
  func inputRows(of unit: Int) -> Range<Int> { outputRows(of: unit) }

  func run(_ units: [Int], on machine: Machine) {
    let spans = PixelSpans(layout)
    machine.workers.forEach(units.count) { position, worker in
      let index = units[position]
      let span = spans[index]
      let moments = machine.scratch(worker).assumingMemoryBound(to: ck_moments.self)
      let pixels = UnsafePointer(machine.pointer(output)) + span.lowerBound * layout.pixelStride
      ck_start_moments(pixels, layout.channels, moments)
      ck_add_moments(machine.kernels, pixels, span.count, layout.pixelStride, layout.channels, moments)
      ck_finish_moments(moments, span.count, layout.channels, machine.spreads.base + index * layout.channels)
    }
  }

  func finish(on machine: Machine) {
    let spans = PixelSpans(layout)
    Measurement.merge(
      machine.spreads.base, tilePixels: (0..<spans.count).map { spans[$0].count }, channels: layout.channels)
  }
}
