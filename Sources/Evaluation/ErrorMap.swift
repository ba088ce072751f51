import Imaging

/// Where two pictures differ, and by how much: for each pixel the greatest difference of its three channels, in grey
/// levels, after clamping both to 0…255.
struct ErrorMap {
  /// The error that is drawn in the lightest colour; greater ones are too. The scale is the same for every picture, so
  /// that maps can be compared.
  static let fullScale: Float = 16

  let width: Int
  let height: Int
  /// `[height, width]`, in grey levels, 0…255.
  let levels: [Float]

  /// - Precondition: the pictures have one size and finite samples.
  init(_ a: Picture, _ b: Picture) {
    precondition(a.width == b.width && a.height == b.height)
    let pixels = a.width * a.height
    width = a.width
    height = a.height
    levels = [Float](unsafeUninitializedCapacity: pixels) { levels, count in
      a.samples.withUnsafeBufferPointer { a in
        b.samples.withUnsafeBufferPointer { b in
          for pixel in 0..<pixels {
            var greatest: Float = 0
            for index in pixel * 3..<pixel * 3 + 3 {
              let difference = min(max(a[index], 0), 255) - min(max(b[index], 0), 255)
              greatest = max(greatest, abs(difference))
            }
            levels[pixel] = greatest
          }
        }
      }
      count = pixels
    }
  }

  private init(width: Int, height: Int, levels: [Float]) {
    self.width = width
    self.height = height
    self.levels = levels
  }

  /// The map on fewer pixels, each with the greatest error of those that it stands for: none is averaged away.
  func shrunk(width newWidth: Int, height newHeight: Int) -> ErrorMap {
    guard newWidth != width || newHeight != height else { return self }
    var result = [Float](repeating: 0, count: newWidth * newHeight)
    for y in 0..<height {
      let row = y * newHeight / height * newWidth
      for x in 0..<width {
        let index = row + x * newWidth / width
        result[index] = max(result[index], levels[y * width + x])
      }
    }
    return ErrorMap(width: newWidth, height: newHeight, levels: result)
  }

  /// The map as a picture.
  func drawn() -> Picture {
    var samples: [Float] = []
    samples.reserveCapacity(levels.count * 3)
    // A table of steps far finer than bytes: a map has many pixels and few colours.
    let table = (0...256).map { ErrorColours.colour(at: Float($0) / 256) }
    for level in levels {
      let colour = table[Int((min(level / Self.fullScale, 1) * 256).rounded())]
      samples += [colour.red, colour.green, colour.blue]
    }
    return Picture(width: width, height: height, samples: samples)
  }

  /// The share of the pixels whose error is greater than a number of grey levels, 0…1.
  func share(above level: Float) -> Double {
    Double(levels.reduce(0) { $0 + ($1 > level ? 1 : 0) }) / Double(levels.count)
  }

  /// The greatest error of any pixel, in grey levels.
  var greatest: Float { levels.max() ?? 0 }
}

/// The colours of error maps, from dark to light: lightness rises all the way, so that they read in grey too. They
/// are ten stops of matplotlib's "inferno" (public domain), joined by straight lines.
enum ErrorColours {
  /// The stops, evenly apart, as `0xRRGGBB`.
  static let stops: [UInt32] = [
    0x000004, 0x1B0C41, 0x4A0C6B, 0x781C6D, 0xA52C60, 0xCF4446, 0xED6925, 0xFB9B06, 0xF7D13D, 0xFCFFA4,
  ]

  /// The colour at a place between 0 and 1, in 0…255.
  static func colour(at place: Float) -> (red: Float, green: Float, blue: Float) {
    let position = min(max(place, 0), 1) * Float(stops.count - 1)
    let index = min(Int(position), stops.count - 2)
    let share = position - Float(index)
    func mixed(_ shift: UInt32) -> Float {
      let from = Float(stops[index] >> shift & 0xFF)
      let to = Float(stops[index + 1] >> shift & 0xFF)
      return from + (to - from) * share
    }
    return (mixed(16), mixed(8), mixed(0))
  }
}
