import Imaging

/// 256x256: red is x, green is y, blue their mean rounded down. Instance norms amplify its tiny local contrast, so
/// that it shows quantization first.
func gradientPicture() -> Picture {
  computedPicture(width: 256, height: 256) { x, y in (UInt8(x), UInt8(y), UInt8((x + y) / 2)) }
}

/// 256x256: squares of 16 pixels, black first and white next. Hard edges at full contrast.
func checkerPicture() -> Picture {
  computedPicture(width: 256, height: 256) { x, y in
    let level: UInt8 = (x / 16 + y / 16) % 2 == 0 ? 0 : 255
    return (level, level, level)
  }
}

/// 64x64: one colour. Every channel's variance is 0, which divides by nothing but epsilon.
func flatPicture() -> Picture {
  computedPicture(width: 64, height: 64) { _, _ in (120, 130, 140) }
}

/// 96x64: independent uniform bytes from SplitMix64, the same on every machine.
func noisePicture() -> Picture {
  var random = SplitMix64(seed: 5)
  func nextByte() -> UInt8 { UInt8(truncatingIfNeeded: random.next() >> 56) }
  return computedPicture(width: 96, height: 64) { _, _ in (nextByte(), nextByte(), nextByte()) }
}

/// A picture from a rule that is asked row by row, from the left.
private func computedPicture(
  width: Int, height: Int, rule: (Int, Int) -> (red: UInt8, green: UInt8, blue: UInt8)
) -> Picture {
  var samples: [Float] = []
  samples.reserveCapacity(width * height * 3)
  for y in 0..<height {
    for x in 0..<width {
      let (red, green, blue) = rule(x, y)
      samples += [Float(red), Float(green), Float(blue)]
    }
  }
  return Picture(width: width, height: height, samples: samples)
}
