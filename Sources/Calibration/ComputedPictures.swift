import Evaluation
import Imaging

/// Smooth ramps between four colours, one at each corner: what live norms amplify most, and photographs of skies hold. Many,
/// since what is learnt from a few of them holds for those few.
func rampPictures(count: Int, size: Int, seed: UInt64) -> [CalibrationPicture] {
  var random = SplitMix64(seed: seed)
  return (1...count).map { number in
    let corners = (0..<4).map { _ in (0..<3).map { _ in Float(random.unit() * 255) } }
    var samples: [Float] = []
    samples.reserveCapacity(size * size * 3)
    for row in 0..<size {
      for column in 0..<size {
        let (x, y) = (Float(column) / Float(size - 1), Float(row) / Float(size - 1))
        for channel in 0..<3 {
          let top = corners[0][channel] * (1 - x) + corners[1][channel] * x
          let bottom = corners[2][channel] * (1 - x) + corners[3][channel] * x
          samples.append((top * (1 - y) + bottom * y).rounded())
        }
      }
    }
    return CalibrationPicture(
      name: "ramp_\(number)", picture: Picture(width: size, height: size, samples: samples), isRamp: true)
  }
}

/// Discs of all sizes and colours, each covering what was there before: edges and plain areas at every scale, in about
/// the proportions that photographs have.
func discsPicture(size: Int, seed: UInt64) -> Picture {
  var random = SplitMix64(seed: seed)
  var samples = [Float](repeating: 128, count: size * size * 3)
  for _ in 0..<600 {
    // The density of radii falls with their cube, so that no scale is preferred.
    let smallest = 2.0
    let radius = min(smallest / max(1 - random.unit(), 1e-3).squareRoot(), Double(size) / 3)
    let (x, y) = (random.unit() * Double(size), random.unit() * Double(size))
    let colour = (0..<3).map { _ in Float((random.unit() * 255).rounded()) }
    let slope = Float(random.unit() * 60 - 30)
    for row in max(0, Int(y - radius))..<min(size, Int(y + radius) + 1) {
      for column in max(0, Int(x - radius))..<min(size, Int(x + radius) + 1) {
        let (across, down) = (Double(column) - x, Double(row) - y)
        guard across * across + down * down <= radius * radius else { continue }
        let shade = slope * Float(down / radius)
        for channel in 0..<3 {
          samples[3 * (row * size + column) + channel] = min(max((colour[channel] + shade).rounded(), 0), 255)
        }
      }
    }
  }
  return Picture(width: size, height: size, samples: samples)
}
