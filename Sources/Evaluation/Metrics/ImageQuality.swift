public import Diagnostics
import Glibc
public import Imaging

/// How far a picture is from the one it should be.
///
/// All figures are taken in double precision over all three channels, after clamping to 0…255 (and, on request,
/// rounding to bytes). None changes when the two pictures change places.
public struct ImageQuality: Hashable, Sendable {
  /// The mean of the squared differences over every sample.
  public let meanSquaredError: Double
  /// The structural similarity, at most 1; see `structuralSimilarity`.
  public let ssim: Double
  /// The side of the square window that SSIM was taken with: the definition's, or less for a smaller picture.
  public let ssimWindow: Int

  /// Creates a result from figures that were taken elsewhere.
  public init(meanSquaredError: Double, ssim: Double, ssimWindow: Int) {
    self.meanSquaredError = meanSquaredError
    self.ssim = ssim
    self.ssimWindow = ssimWindow
  }

  /// The peak signal-to-noise ratio in dB; infinite for identical pictures.
  public var psnr: Double { peakSignalToNoise(meanSquaredError: meanSquaredError) }
  /// Whether no sample differs.
  public var identical: Bool { meanSquaredError == 0 }

  /// The definition behind `psnr` and `ssim`, to be printed beside the figures.
  public static func definition(_ ssim: SSIMDefinition = .standard) -> String {
    "PSNR: peak 255, all channels; " + ssim.words
  }
}

/// The largest sample that a picture may have, and the peak that every figure is relative to.
let peak = 255.0

/// Compares two pictures of one size.
/// - Parameter rounded: whether to round both to bytes first, halves to even, as a viewer would get them.
/// - Parameter ssim: which SSIM is taken.
/// - Throws: `.badInput` when the sizes differ, `.gateFailed` when a sample of either is not finite.
public func compare(
  _ a: Picture, _ b: Picture, rounded: Bool = false, ssim: SSIMDefinition = .standard
) throws(StyleModelError) -> ImageQuality {
  try checkComparable(a, b)
  let planesA = ClampedPlanes(a, rounded: rounded)
  let planesB = ClampedPlanes(b, rounded: rounded)
  let similarity = structuralSimilarity(planesA, planesB, ssim)
  return ImageQuality(
    meanSquaredError: meanSquaredError(planesA, planesB), ssim: similarity.mean, ssimWindow: similarity.window
  )
}

/// The peak signal-to-noise ratio in dB of a mean squared error, peak 255; infinite for none.
public func peakSignalToNoise(meanSquaredError: Double) -> Double {
  10 * log10(peak * peak / meanSquaredError)
}

/// The PSNR of the mean squared error over pictures, each counting alike: one bad picture is not hidden by good
/// ones, as it would be in a mean of PSNRs.
/// - Returns: nil when there are no pictures.
public func pooledPSNR(_ qualities: some Collection<ImageQuality>) -> Double? {
  guard !qualities.isEmpty else { return nil }
  let total = qualities.reduce(0) { $0 + $1.meanSquaredError }
  return peakSignalToNoise(meanSquaredError: total / Double(qualities.count))
}

func checkComparable(_ a: Picture, _ b: Picture) throws(StyleModelError) {
  guard a.width == b.width, a.height == b.height else {
    throw StyleModelError(
      .badInput,
      "pictures of \(sizeText(width: a.width, height: a.height)) and "
        + "\(sizeText(width: b.width, height: b.height)) cannot be compared",
      remedy: "compare pictures of one size")
  }
  let count = max(a.nonFiniteCount, b.nonFiniteCount)
  guard count == 0 else {
    throw StyleModelError(
      .gateFailed, "\(counted(count, "sample")) of \(grouped(a.samples.count)) are not finite numbers",
      remedy: "there is nothing to compare; the network overflows on this picture")
  }
}
