import Evaluation
import Imaging

/// Smooth ramps, 256 pixels wide and high, each channel rising or falling by a level or half of one a pixel: what live norms
/// amplify most, and photographs of skies hold.
func rampPictures() -> [CalibrationPicture] {
  let rules: [(Int, Int) -> (Int, Int, Int)] = [
    { x, y in (255 - x, y, x) },
    { x, y in ((x + y) / 2, 255 - y, 255 - x) },
    { x, y in (y, (x + 255 - y) / 2, 255 - x) },
    { x, y in (255 - y, 255 - x, (x + y) / 2) },
  ]
  return rules.enumerated().map { index, rule in
    var samples: [Float] = []
    samples.reserveCapacity(256 * 256 * 3)
    for y in 0..<256 {
      for x in 0..<256 {
        let (red, green, blue) = rule(x, y)
        samples += [Float(red), Float(green), Float(blue)]
      }
    }
    return CalibrationPicture(
      name: "ramp_\(index + 1)", picture: Picture(width: 256, height: 256, samples: samples), isRamp: true)
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
