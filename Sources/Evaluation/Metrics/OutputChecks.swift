public import Diagnostics
public import Imaging

/// Whether two pictures would match much better if red and blue of one changed places.
public struct ChannelOrderCheck: Hashable, Sendable {
  /// The PSNR of the pictures as they are, in dB.
  public let psnr: Double
  /// The PSNR with red and blue of the second one swapped, in dB.
  public let swappedPSNR: Double

  /// By how many dB swapping must help before it is suspicious. A swap that is real costs a photograph 20 dB and
  /// more; two honest results differ alike in both orders.
  public static let suspiciousGain = 6.0

  /// Whether one of the two seems to have red and blue swapped.
  public var isSuspicious: Bool { swappedPSNR > psnr + Self.suspiciousGain }

  /// Creates a result from figures that were taken elsewhere.
  init(psnr: Double, swappedPSNR: Double) {
    self.psnr = psnr
    self.swappedPSNR = swappedPSNR
  }

  /// Compares two pictures of one size in both channel orders.
  /// - Throws: what `compare` throws.
  public init(_ a: Picture, _ b: Picture) throws(StyleModelError) {
    try checkComparable(a, b)
    let planes = ClampedPlanes(a, rounded: false)
    func psnr(_ other: Picture) -> Double {
      peakSignalToNoise(meanSquaredError: meanSquaredError(planes, ClampedPlanes(other, rounded: false)))
    }
    self.psnr = psnr(b)
    swappedPSNR = psnr(b.withRedAndBlueSwapped)
  }
}

/// What is odd about a network's output by itself.
public struct OutputCheck: Hashable, Sendable {
  /// How many samples are not-a-number or infinite. The other figures leave them out.
  public let nonFiniteCount: Int
  /// The share of the finite samples that lie at or beyond 0 or 255, 0…1.
  public let saturatedShare: Double
  /// The standard deviation of the most varied channel, in pixel units and after clamping to 0…255.
  public let deviation: Double

  /// Whether more than nine samples in ten are at a rail: the output scale or bias is wrong, most likely.
  public var isSaturated: Bool { saturatedShare > 0.9 }
  /// Whether the picture is nearly one colour: no channel varies by more than about one step.
  public var isFlat: Bool { deviation < 1 }

  /// Creates a result from figures that were taken elsewhere.
  init(nonFiniteCount: Int, saturatedShare: Double, deviation: Double) {
    self.nonFiniteCount = nonFiniteCount
    self.saturatedShare = saturatedShare
    self.deviation = deviation
  }

  /// Looks at a network's raw output.
  public init(_ picture: Picture) {
    var finite = 0
    var saturated = 0
    var sums = [Double](repeating: 0, count: 3)
    var squares = [Double](repeating: 0, count: 3)
    var counts = [Double](repeating: 0, count: 3)
    picture.samples.withUnsafeBufferPointer { samples in
      for index in samples.indices where samples[index].isFinite {
        finite += 1
        if samples[index] <= 0 || samples[index] >= 255 { saturated += 1 }
        // Around mid-grey, so that squares stay small beside what they are subtracted from.
        let value = Double(min(max(samples[index], 0), 255)) - 127.5
        sums[index % 3] += value
        squares[index % 3] += value * value
        counts[index % 3] += 1
      }
    }
    nonFiniteCount = picture.samples.count - finite
    saturatedShare = finite == 0 ? 0 : Double(saturated) / Double(finite)
    deviation =
      (0..<3).map { channel in
        guard counts[channel] > 0 else { return 0 }
        let mean = sums[channel] / counts[channel]
        return max(squares[channel] / counts[channel] - mean * mean, 0).squareRoot()
      }.max() ?? 0
  }
}

extension Picture {
  /// The picture as a program sees it that takes blue for red.
  var withRedAndBlueSwapped: Picture {
    var copy = self
    copy.samples.withUnsafeMutableBufferPointer { samples in
      for index in stride(from: 0, to: samples.count, by: 3) { samples.swapAt(index, index + 2) }
    }
    return copy
  }
}
