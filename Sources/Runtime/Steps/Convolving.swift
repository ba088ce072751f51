/// A step that computes a convolution, in whatever way.
protocol Convolving: UnitStep {
  /// Whether the statistics of the result are wanted.
  var measures: Bool { get set }
  /// The packed weights that it needs, one for each phase.
  var packings: [(key: PackedConvolution.Key, kernel: ConvolutionKernel)] { get }
  /// The multiplications that the algorithm takes.
  var multiplications: Double { get }
  /// The size of the kernel and the algorithm, in two words.
  var kernelMethod: String { get }
  /// The zeros that the kernels read where taps lie outside the picture.
  var zeroCount: Int { get }
}

extension Convolving {
  var isMeasuring: Bool { measures }

  func withoutMeasurement() -> any UnitStep {
    var step = self
    step.measures = false
    return step
  }
}
