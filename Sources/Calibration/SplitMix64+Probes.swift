import Evaluation
import Imaging

extension SplitMix64 {
  /// A number from 0 to below 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// ±1 for every sample of a picture, and 0 where it is black or white anyway: what is cut off there is no error.
  mutating func probe(_ output: Picture) -> Picture {
    var bits: UInt64 = 0
    var samples = output.samples
    for index in samples.indices {
      if index % 64 == 0 { bits = next() }
      let isVisible = samples[index] > 0 && samples[index] < 255
      samples[index] = isVisible ? (bits & 1 == 0 ? 1 : -1) : 0
      bits >>= 1
    }
    return Picture(width: output.width, height: output.height, samples: samples)
  }
}
