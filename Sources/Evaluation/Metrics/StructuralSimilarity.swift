import Glibc

/// SSIM as Wang et al. define it: K1 0.01, K2 0.03, peak 255, a Gaussian window of 11x11 with sigma 1.5, population
/// variance, only windows that lie within the picture, the mean over them and then over the channels.
///
/// These are the figures of scikit-image's `structural_similarity(gaussian_weights=True, sigma=1.5,
/// use_sample_covariance=False, data_range=255, channel_axis=2)` on doubles: it crops the 5 pixels at each side that
/// its filter pads, which leaves the same windows.
/// The other definitions differ from it as `SSIMDefinition` says.
/// - Returns: the mean, at most 1, and the window's side: the definition's, or the largest odd number that fits.
func structuralSimilarity(
  _ a: ClampedPlanes, _ b: ClampedPlanes, _ definition: SSIMDefinition = .standard
) -> (mean: Double, window: Int) {
  let planesA = definition == .luma ? a.luma : a
  let planesB = definition == .luma ? b.luma : b
  let fitting = min(definition.window, a.width, a.height)
  let side = fitting % 2 == 1 ? fitting : fitting - 1
  let isUniform = definition == .skimage
  let weights =
    isUniform ? [Double](repeating: 1 / Double(side), count: side) : gaussianWeights(count: side, sigma: 1.5)
  let pixels = Double(side * side)
  let covarianceScale = isUniform && side > 1 ? pixels / (pixels - 1) : 1
  let channels = planesA.samples.count / (a.width * a.height)
  let sum = planesA.samples.withUnsafeBufferPointer { samplesA in
    planesB.samples.withUnsafeBufferPointer { samplesB in
      var filter = SimilarityFilter(width: a.width, weights: weights, covarianceScale: covarianceScale)
      var sum = 0.0
      for channel in 0..<channels {
        for top in 0...a.height - side {
          sum += filter.rowSum(samplesA, samplesB, from: (channel * a.height + top) * a.width)
        }
      }
      return sum
    }
  }
  let windows = (a.width - side + 1) * (a.height - side + 1) * channels
  // Rounding may lift the mean of many ones a hair above one.
  return (min(sum / Double(windows), 1), side)
}

/// `count` weights of a Gaussian around the middle one, which sum to 1.
func gaussianWeights(count: Int, sigma: Double) -> [Double] {
  let middle = Double(count - 1) / 2
  let raw = (0..<count).map { exp(-0.5 * (Double($0) - middle) * (Double($0) - middle) / (sigma * sigma)) }
  let sum = raw.reduce(0, +)
  return raw.map { $0 / sum }
}

/// The weighted means over a window that SSIM is made of: of a, b, a², b² and ab.
private struct LocalMeans {
  var a = 0.0
  var b = 0.0
  var aa = 0.0
  var bb = 0.0
  var ab = 0.0

  /// Adds what another window, or one pixel, counts for.
  @inline(__always)
  mutating func add(_ other: LocalMeans, weight: Double) {
    a += weight * other.a
    b += weight * other.b
    aa += weight * other.aa
    bb += weight * other.bb
    ab += weight * other.ab
  }
}

/// One row of windows at a time: down the columns first, then along the row.
private struct SimilarityFilter {
  private let width: Int
  private let weights: [Double]
  /// What turns a population's variance into a sample's, or 1.
  private let covarianceScale: Double
  /// One for each x: the means over the column of pixels that begins there.
  private var columns: [LocalMeans]

  init(width: Int, weights: [Double], covarianceScale: Double) {
    self.width = width
    self.covarianceScale = covarianceScale
    self.weights = weights
    columns = [LocalMeans](repeating: LocalMeans(), count: width)
  }

  /// The sum of the similarities of the windows whose top left corners are in the row that begins at `start`.
  mutating func rowSum(
    _ samplesA: UnsafeBufferPointer<Double>, _ samplesB: UnsafeBufferPointer<Double>, from start: Int
  ) -> Double {
    let width = width
    return weights.withUnsafeBufferPointer { weights in
      columns.withUnsafeMutableBufferPointer { columns in
        for x in 0..<width {
          var means = LocalMeans()
          for tap in 0..<weights.count {
            let a = samplesA[start + tap * width + x]
            let b = samplesB[start + tap * width + x]
            means.add(LocalMeans(a: a, b: b, aa: a * a, bb: b * b, ab: a * b), weight: weights[tap])
          }
          columns[x] = means
        }
        var sum = 0.0
        for left in 0...width - weights.count {
          var means = LocalMeans()
          for tap in 0..<weights.count { means.add(columns[left + tap], weight: weights[tap]) }
          sum += similarity(means, covarianceScale)
        }
        return sum
      }
    }
  }
}

/// SSIM of one window. The variances cannot be negative but their differences of rounded sums can.
private func similarity(_ means: LocalMeans, _ covarianceScale: Double) -> Double {
  let c1 = (0.01 * peak) * (0.01 * peak)
  let c2 = (0.03 * peak) * (0.03 * peak)
  let varianceA = max(means.aa - means.a * means.a, 0) * covarianceScale
  let varianceB = max(means.bb - means.b * means.b, 0) * covarianceScale
  let covariance = (means.ab - means.a * means.b) * covarianceScale
  return (2 * means.a * means.b + c1) * (2 * covariance + c2)
    / ((means.a * means.a + means.b * means.b + c1) * (varianceA + varianceB + c2))
}
