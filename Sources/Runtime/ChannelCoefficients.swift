import CKernels
import Diagnostics

/// `(x - center) * scale + shift` for every channel, laid out as the kernels want it.
final class ChannelCoefficients {
  /// The number of floats after which the tables repeat: the pixel stride, or eight pixels where that is not a
  /// multiple of eight.
  let period: Int
  private let channels: Int
  private let pixelStride: Int
  private let memory: AlignedMemory<Float>

  /// Creates coefficients that are all zero.
  init(_ layout: MapLayout) throws(StyleModelError) {
    channels = layout.channels
    pixelStride = layout.pixelStride
    period = pixelStride % 8 == 0 ? pixelStride : pixelStride * 8
    memory = try AlignedMemory(zeros: 3 * period)
  }

  var center: UnsafePointer<Float> { UnsafePointer(memory.base) }
  var scale: UnsafePointer<Float> { UnsafePointer(memory.base + period) }
  var shift: UnsafePointer<Float> { UnsafePointer(memory.base + 2 * period) }

  /// Sets one channel so that `x` becomes `(x - mean) * factor + summand`. What the mean loses by being rounded to
  /// a float is put into the shift.
  func set(_ channel: Int, mean: Double, factor: Double, summand: Double) {
    let center = Float(mean)
    let shift = summand - (mean - Double(center)) * factor
    for index in stride(from: channel, to: period, by: pixelStride) {
      memory.base[index] = center
      memory.base[period + index] = Float(factor)
      memory.base[2 * period + index] = Float(shift)
    }
  }
}

/// A normalisation whose statistics are taken from the picture itself.
struct LiveNormalization {
  /// The factors, one a channel.
  let gamma: [Float]
  /// The summands, one a channel.
  let beta: [Float]
  /// What keeps the root from zero.
  let epsilon: Double
  /// Where the result goes.
  let coefficients: ChannelCoefficients

  /// Sets the coefficients for the measured mean and spread of each channel over `pixels` pixels.
  func update(_ spreads: UnsafePointer<ck_spread>, pixels: Int) {
    for channel in gamma.indices {
      let variance = spreads[channel].distances / Double(pixels)
      coefficients.set(
        channel, mean: spreads[channel].mean,
        factor: Double(gamma[channel]) / (variance + epsilon).squareRoot(),
        summand: Double(beta[channel]))
    }
  }
}
