/// How a sample becomes a byte; always after clamping to 0…255.
public enum Rounding: String, Hashable, Sendable, CaseIterable {
  /// To the nearest whole number, halves to the even one, as NumPy's `round` does.
  case nearestEven
  /// To the nearest whole number, halves up, as `floor(x + 0.5)` does.
  case halfUp
  /// Towards zero, as a cast to an unsigned byte does.
  case truncate

  /// The byte for a sample in pixel units. Not-a-number becomes 0: see `Picture.nonFiniteCount`.
  public func byte(_ sample: Float) -> UInt8 {
    let clamped = sample > 0 ? min(sample, 255) : 0
    return switch self {
    case .nearestEven: UInt8(clamped.rounded(.toNearestOrEven))
    // `floor(x + 0.5)` itself is wrong just below a half, where the sum rounds up.
    case .halfUp: UInt8(clamped.rounded(.toNearestOrAwayFromZero))
    case .truncate: UInt8(clamped)
    }
  }
}

extension Picture {
  /// The samples as bytes, `[height, width, 3]`, clamped to 0…255 and rounded.
  public func quantizedTo8Bits(rounding: Rounding) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: samples.count) { bytes, count in
      samples.withUnsafeBufferPointer { source in
        for index in source.indices { bytes[index] = rounding.byte(source[index]) }
      }
      count = samples.count
    }
  }

  /// How many samples are not-a-number or infinite.
  public var nonFiniteCount: Int {
    samples.withUnsafeBufferPointer { source in
      var count = 0
      for index in source.indices where !source[index].isFinite { count += 1 }
      return count
    }
  }

  /// How many pixels have a sample that is not-a-number or infinite.
  public var nonFinitePixelCount: Int {
    samples.withUnsafeBufferPointer { source in
      stride(from: 0, to: source.count, by: 3).reduce(0) { count, first in
        count + (source[first..<first + 3].allSatisfy(\.isFinite) ? 0 : 1)
      }
    }
  }
}
