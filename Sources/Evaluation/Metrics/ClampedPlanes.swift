import Imaging

/// A picture as three planes of doubles within 0…255: red, green, blue.
struct ClampedPlanes {
  let width: Int
  let height: Int
  /// `[3, height, width]` in C order, or `[1, height, width]` for luma.
  let samples: [Double]

  init(_ picture: Picture, rounded: Bool) {
    width = picture.width
    height = picture.height
    let pixels = width * height
    samples = [Double](unsafeUninitializedCapacity: pixels * 3) { planes, count in
      picture.samples.withUnsafeBufferPointer { source in
        for channel in 0..<3 {
          for pixel in 0..<pixels {
            let clamped = Double(min(max(source[pixel * 3 + channel], 0), Float(peak)))
            planes[channel * pixels + pixel] = rounded ? clamped.rounded(.toNearestOrEven) : clamped
          }
        }
      }
      count = pixels * 3
    }
  }

  private init(width: Int, height: Int, samples: [Double]) {
    self.width = width
    self.height = height
    self.samples = samples
  }

  /// The one plane of luma, `0.299 R + 0.587 G + 0.114 B`.
  var luma: ClampedPlanes {
    let pixels = width * height
    return ClampedPlanes(
      width: width, height: height,
      samples: (0..<pixels).map {
        0.299 * samples[$0] + 0.587 * samples[pixels + $0] + 0.114 * samples[2 * pixels + $0]
      })
  }
}

/// The mean of the squared differences over every sample.
func meanSquaredError(_ a: ClampedPlanes, _ b: ClampedPlanes) -> Double {
  a.samples.withUnsafeBufferPointer { a in
    b.samples.withUnsafeBufferPointer { b in
      // In blocks, so that rounding errors do not grow with the picture.
      var total = 0.0
      for start in stride(from: 0, to: a.count, by: 4096) {
        var block = 0.0
        for index in start..<min(start + 4096, a.count) {
          let difference = a[index] - b[index]
          block += difference * difference
        }
        total += block
      }
      return total / Double(a.count)
    }
  }
}
