import CKernels
import Diagnostics

/// The way back through a normalisation by live statistics, which the step before has measured once more.
///
/// With x̂ = (x − μ) / σ and y = γ x̂ + β, the gradient of x is γ/σ · (∂y − mean(∂y) − x̂ · mean(∂y · x̂)): what changes a
/// channel's mean or scale changes nothing behind the normalisation.
struct NormGradientStep: Step {
  /// What was normalised.
  let input: BufferID
  /// The gradient of the result.
  let source: BufferID
  let output: BufferID
  let layout: MapLayout
  /// The factors, one a channel.
  let gamma: [Float]
  /// What keeps the root from zero.
  let epsilon: Double
  private let sums: AlignedMemory<ck_norm_sums>
  private let means: AlignedMemory<Double>
  /// Center, scale, slope and shift, as many floats each as a pixel takes.
  private let tables: AlignedMemory<Float>
  var stages: [Stage] = []

  init(
    input: BufferID, source: BufferID, output: BufferID, layout: MapLayout, gamma: [Float], epsilon: Double
  ) throws(StyleModelError) {
    self.input = input
    self.source = source
    self.output = output
    self.layout = layout
    self.gamma = gamma
    self.epsilon = epsilon
    sums = try AlignedMemory(zeros: PixelSpans(layout).count * layout.channels)
    means = try AlignedMemory(zeros: layout.channels)
    tables = try AlignedMemory(zeros: 4 * layout.pixelStride)
  }

  var reads: [BufferID] { [input, source] }
  var takesStages: Bool { false }
  var workEstimate: Double { Double(layout.floatCount * 12) }

  func run(on machine: Machine) {
    let spans = PixelSpans(layout)
    let stride = layout.pixelStride
    let channels = layout.channels
    for channel in 0..<channels { means.base[channel] = machine.spreads.base[channel].mean }
    machine.workers.forEach(spans.count) { index, _ in
      let first = spans[index].lowerBound * stride
      let sums = sums.base + index * channels
      sums.update(repeating: ck_norm_sums(gradient: 0, product: 0), count: channels)
      ck_add_norm_sums(
        machine.kernels, machine.pointer(input) + first, machine.pointer(source) + first, spans[index].count,
        stride, channels, means.base, sums)
    }
    for channel in 0..<channels { setTables(channel, machine.spreads.base[channel], spans: spans.count) }
    machine.workers.forEach(spans.count) { index, _ in
      let first = spans[index].lowerBound * stride
      ck_norm_gradient(
        machine.kernels, machine.pointer(input) + first, machine.pointer(source) + first,
        machine.pointer(output) + first, spans[index].count, stride, tables.base, tables.base + stride,
        tables.base + 2 * stride, tables.base + 3 * stride)
    }
  }

  private func setTables(_ channel: Int, _ spread: ck_spread, spans: Int) {
    var gradient = 0.0
    var product = 0.0
    for span in 0..<spans {
      gradient += sums.base[span * layout.channels + channel].gradient
      product += sums.base[span * layout.channels + channel].product
    }
    let pixels = Double(layout.pixels)
    let variance = spread.distances / pixels + epsilon
    let scale = Double(gamma[channel]) / variance.squareRoot()
    let slope = -scale * product / pixels / variance
    let center = Float(spread.mean)
    let stride = layout.pixelStride
    tables.base[channel] = center
    tables.base[stride + channel] = Float(scale)
    tables.base[2 * stride + channel] = Float(slope)
    tables.base[3 * stride + channel] = Float(
      -scale * gradient / pixels - (spread.mean - Double(center)) * slope)
  }
}
