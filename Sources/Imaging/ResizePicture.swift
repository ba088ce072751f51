import Glibc

/// How resizing weighs the neighbours of a point.
public enum ResamplingFilter: String, Hashable, Sendable, CaseIterable {
  /// A windowed sinc over six pixels: the sharpest.
  case lanczos3
  /// Cubic convolution with a = -0.5 over four pixels.
  case bicubic
  /// A triangle over two pixels: never overshoots.
  case bilinear

  /// How far the filter reaches to each side, in pixels of the smaller picture.
  var support: Double {
    switch self {
    case .lanczos3: 3
    case .bicubic: 2
    case .bilinear: 1
    }
  }

  /// The filter's weight at a distance.
  func weight(_ distance: Double) -> Double {
    let x = abs(distance)
    guard x < support else { return 0 }
    return switch self {
    case .lanczos3: Self.sinc(x) * Self.sinc(x / 3)
    case .bicubic: x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2
    case .bilinear: 1 - x
    }
  }

  private static func sinc(_ x: Double) -> Double {
    x == 0 ? 1 : sin(x * .pi) / (x * .pi)
  }
}

extension Picture {
  /// The picture at another size, the way Pillow's `resize` does it: along the rows, then down the columns, with the
  /// filter widened when the picture shrinks, so that nothing aliases.
  ///
  /// Nothing is clamped or rounded: Lanczos and bicubic overshoot at edges. Follow with `clamped()` for a network.
  /// - Precondition: both sides are at least 1.
  public func resized(width newWidth: Int, height newHeight: Int, filter: ResamplingFilter = .lanczos3)
    -> Picture
  {
    precondition(newWidth > 0 && newHeight > 0)
    var picture = self
    if newWidth != width { picture = picture.resampledRows(Taps(from: width, to: newWidth, filter)) }
    if newHeight != height { picture = picture.resampledColumns(Taps(from: height, to: newHeight, filter)) }
    return picture
  }

  /// The picture with every sample moved into 0…255.
  public func clamped() -> Picture {
    Picture(width: width, height: height, samples: samples.map { min(max($0, 0), 255) })
  }

  /// The part whose top left pixel is (x, y).
  /// - Precondition: it lies within the picture and is not empty.
  public func cropped(x: Int, y: Int, width newWidth: Int, height newHeight: Int) -> Picture {
    precondition(x >= 0 && y >= 0 && newWidth <= width - x && newHeight <= height - y)
    var part: [Float] = []
    part.reserveCapacity(newWidth * newHeight * 3)
    for row in y..<y + newHeight {
      part += samples[(row * width + x) * 3..<(row * width + x + newWidth) * 3]
    }
    return Picture(width: newWidth, height: newHeight, samples: part)
  }

  private func resampledRows(_ taps: Taps) -> Picture {
    let newWidth = taps.starts.count
    let result = [Float](unsafeUninitializedCapacity: newWidth * height * 3) { target, count in
      samples.withUnsafeBufferPointer { source in
        for y in 0..<height {
          for x in 0..<newWidth {
            let start = (y * width + taps.starts[x]) * 3
            var red = 0.0
            var green = 0.0
            var blue = 0.0
            for (offset, weight) in taps.weights[x].enumerated() {
              red += Double(source[start + offset * 3]) * weight
              green += Double(source[start + offset * 3 + 1]) * weight
              blue += Double(source[start + offset * 3 + 2]) * weight
            }
            let to = (y * newWidth + x) * 3
            target[to] = Float(red)
            target[to + 1] = Float(green)
            target[to + 2] = Float(blue)
          }
        }
      }
      count = newWidth * height * 3
    }
    return Picture(width: newWidth, height: height, samples: result)
  }

  private func resampledColumns(_ taps: Taps) -> Picture {
    let newHeight = taps.starts.count
    let row = width * 3
    var sums = [Double](repeating: 0, count: row)
    let result = [Float](unsafeUninitializedCapacity: row * newHeight) { target, count in
      samples.withUnsafeBufferPointer { source in
        for y in 0..<newHeight {
          for index in 0..<row { sums[index] = 0 }
          for (offset, weight) in taps.weights[y].enumerated() {
            let start = (taps.starts[y] + offset) * row
            for index in 0..<row { sums[index] += Double(source[start + index]) * weight }
          }
          for index in 0..<row { target[y * row + index] = Float(sums[index]) }
        }
      }
      count = row * newHeight
    }
    return Picture(width: width, height: newHeight, samples: result)
  }
}

/// For each new position along a side: where its neighbours start and what each counts. The weights sum to 1.
private struct Taps {
  var starts: [Int] = []
  var weights: [[Double]] = []

  init(from size: Int, to newSize: Int, _ filter: ResamplingFilter) {
    let scale = Double(size) / Double(newSize)
    let stretch = max(scale, 1)
    let reach = filter.support * stretch
    for position in 0..<newSize {
      let centre = (Double(position) + 0.5) * scale
      // The neighbours are those whose middles, rounded, are within reach.
      let start = max(Int(centre - reach + 0.5), 0)
      let end = min(Int(centre + reach + 0.5), size)
      let raw = (start..<end).map { filter.weight((Double($0) - centre + 0.5) / stretch) }
      let sum = raw.reduce(0, +)
      starts.append(start)
      weights.append(raw.map { $0 / sum })
    }
  }
}
