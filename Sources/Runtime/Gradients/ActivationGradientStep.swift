import CKernels

/// The way back through a function of each number: the gradient times the function's slope there.
struct ActivationGradientStep: Step {
  let activation: ck_activation
  /// What the function was given.
  let input: BufferID
  /// The gradient of what it gave.
  let source: BufferID
  let output: BufferID
  let layout: MapLayout
  var stages: [Stage] = []

  var reads: [BufferID] { [input, source] }
  var takesStages: Bool { false }
  var workEstimate: Double { Double(layout.floatCount * 6) }

  func run(on machine: Machine) {
    let spans = PixelSpans(layout)
    machine.workers.forEach(spans.count) { index, _ in
      let first = spans[index].lowerBound * layout.pixelStride
      ck_activation_gradient(
        machine.kernels, activation, machine.pointer(input) + first, machine.pointer(source) + first,
        machine.pointer(output) + first, spans[index].count * layout.pixelStride)
    }
  }
}
