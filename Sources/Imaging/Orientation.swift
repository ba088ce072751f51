/// How a camera was held, after EXIF tag 0x0112: where the stored rows and columns belong.
enum Orientation: Int, CaseIterable {
  case upright = 1
  case mirrored = 2
  case upsideDown = 3
  case flipped = 4
  /// Rows are columns: mirrored along the main diagonal.
  case transposed = 5
  /// The stored top is the right side: turn a quarter clockwise.
  case turnedLeft = 6
  /// Mirrored along the other diagonal.
  case transversed = 7
  /// The stored top is the left side: turn a quarter anticlockwise.
  case turnedRight = 8

  /// Finds the tag in the first directory of a TIFF structure.
  ///
  /// Nil when it is missing or nonsense: a picture whose EXIF block is damaged is still a picture.
  init?(tiff: ArraySlice<UInt8>) {
    let base = tiff.startIndex
    let count = tiff.count
    guard count >= 8 else { return nil }
    let isLittle: Bool
    switch (tiff[base], tiff[base + 1]) {
    case (0x49, 0x49): isLittle = true
    case (0x4D, 0x4D): isLittle = false
    default: return nil
    }
    // Callers keep `offset + size` within `count`.
    func number(at offset: Int, size: Int) -> Int {
      let field = tiff[base + offset..<base + offset + size]
      return isLittle
        ? field.reversed().reduce(0) { $0 << 8 | Int($1) } : field.reduce(0) { $0 << 8 | Int($1) }
    }
    guard number(at: 2, size: 2) == 42 else { return nil }
    let directory = number(at: 4, size: 4)
    guard directory >= 8, directory <= count - 2 else { return nil }
    let entries = min(number(at: directory, size: 2), (count - directory - 2) / 12)
    for entry in 0..<entries {
      let offset = directory + 2 + entry * 12
      guard number(at: offset, size: 2) == 0x0112 else { continue }
      guard number(at: offset + 4, size: 4) == 1 else { return nil }
      switch number(at: offset + 2, size: 2) {
      case 3: self.init(rawValue: number(at: offset + 8, size: 2))  // a 16-bit number, as the standard says
      case 4: self.init(rawValue: number(at: offset + 8, size: 4))  // 32 bits, as some writers have it
      default: return nil
      }
      return
    }
    return nil
  }

  /// Whether width and height change places.
  var swapsSides: Bool { rawValue >= 5 }

  /// What to tell the user; nothing for a picture that is upright already.
  var notes: [String] {
    self == .upright ? [] : ["turned upright, as its EXIF orientation \(rawValue) says"]
  }
}

extension Picture {
  /// The picture as it is meant to be seen.
  func upright(from orientation: Orientation) -> Picture {
    if orientation == .upright { return self }
    let outWidth = orientation.swapsSides ? height : width
    let outHeight = orientation.swapsSides ? width : height
    let right = width - 1
    let bottom = height - 1
    let turned = [Float](unsafeUninitializedCapacity: samples.count) { target, count in
      samples.withUnsafeBufferPointer { source in
        for y in 0..<outHeight {
          for x in 0..<outWidth {
            let (fromX, fromY) =
              switch orientation {
              case .upright: (x, y)
              case .mirrored: (right - x, y)
              case .upsideDown: (right - x, bottom - y)
              case .flipped: (x, bottom - y)
              case .transposed: (y, x)
              case .turnedLeft: (y, bottom - x)
              case .transversed: (right - y, bottom - x)
              case .turnedRight: (right - y, x)
              }
            let from = (fromY * width + fromX) * 3
            let to = (y * outWidth + x) * 3
            for channel in 0..<3 { target[to + channel] = source[from + channel] }
          }
        }
      }
      count = samples.count
    }
    return Picture(width: outWidth, height: outHeight, samples: turned)
  }
}
