import Evaluation
import Imaging

/// Smooth ramps, 256 pixels wide and high: what live norms amplify most, and photographs of skies hold.
///
/// Each channel rises from black to white in a direction of its own. What a few of them have in common, rounding would
/// learn by heart: with four in place of twelve, others of their kind are two to three decibels worse.
func rampPictures() -> [CalibrationPicture] {
  let side = 256
  var random = SplitMix64(seed: 11)
  return (1...12).map { number in
    // A direction as what a step to the right and one down add, of which the magnitudes make up one level.
    let directions = (0..<3).map { _ in
      let right = 2 * random.unit() - 1
      let down = (1 - right.magnitude) * (random.unit() < 0.5 ? -1 : 1)
      return (right, down)
    }
    let middle = Double(side - 1) / 2
    var samples: [Float] = []
    samples.reserveCapacity(side * side * 3)
    for y in 0..<side {
      for x in 0..<side {
        for (right, down) in directions {
          let level = middle + right * (Double(x) - middle) + down * (Double(y) - middle)
          samples.append(Float(level.rounded()))
        }
      }
    }
    return CalibrationPicture(
      name: "ramp_\(number)", picture: Picture(width: side, height: side, samples: samples), isRamp: true)
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
