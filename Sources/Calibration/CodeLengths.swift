import CKernels
import Glibc

/// The code lengths of integers that are spread like weights are: by a generalised normal distribution, `exp(-|x/a|^shape)`, of
/// which a row's integers have the width and all of a layer's the shape.
final class CodeLengths: Sendable {
  /// Which integers there are.
  enum Kind: Int, CaseIterable {
    /// All of them.
    case plain
    /// Those of the even states of dependent rounding, and then of the odd ones.
    case dependent
  }

  /// 1 is Laplace's distribution, 2 the normal one.
  static let shapes: [Double] = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.15, 1.3, 1.5, 1.75, 2, 2.5]
  /// The standard deviations, in steps: from 2^-3 on, a quarter of an octave apart.
  static let widths: [Double] = (0..<56).map { exp2(Double($0) / 4 - 3) }
  static let magnitudes = Int(CK_ROUNDING_RATES)

  /// The lengths of all distributions, made once.
  static let shared = CodeLengths()

  /// `[kind][shape][width][states][magnitude]`.
  private let lengths: [[Float]]

  private init() {
    var plain: [Float] = []
    var dependent: [Float] = []
    for shape in Self.shapes {
      let distribution = HalfDistribution(shape: shape)
      for width in Self.widths {
        plain += Self.lengths(distribution, width) { Double($0) - 0.5 }
        dependent += Self.lengths(distribution, width) { 2 * Double($0) - 1 }
        // 0, 1, 3, 5 …: the border of zero is at a half.
        dependent += Self.lengths(distribution, width) { $0 == 1 ? 0.5 : 2 * Double($0) - 2 }
      }
    }
    lengths = [plain, dependent]
  }

  /// - Parameter border: where the magnitudes from an index on begin, for indices from 1 on.
  private static func lengths(
    _ distribution: HalfDistribution, _ width: Double, border: (Int) -> Double
  ) -> [Float] {
    (0..<magnitudes).map { magnitude in
      let lower = magnitude == 0 ? 0 : border(magnitude)
      let share = distribution.share(from: lower / width, to: border(magnitude + 1) / width)
      return Float((magnitude == 0 ? 0 : 1) - log2(max(share, 0x1p-40)))
    }
  }

  /// Calls `body` with the lengths of one distribution: `CodeLengths.magnitudes` of them, or of dependent rounding twice as
  /// many.
  func withLengths<Result>(
    _ kind: Kind, shape: Int, width: Int, _ body: (UnsafePointer<Float>) -> Result
  ) -> Result {
    let count = kind == .plain ? Self.magnitudes : 2 * Self.magnitudes
    return lengths[kind.rawValue].withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("lengths are made first") }
      return body(base + (shape * Self.widths.count + width) * count)
    }
  }

  /// The index of the width nearest to a standard deviation.
  static func width(_ deviation: Double) -> Int {
    guard deviation > 0 else { return 0 }
    return min(max(Int((4 * (log2(deviation) + 3)).rounded()), 0), widths.count - 1)
  }

  /// The index of the shape whose ratio of squared mean magnitude to mean square is nearest.
  static func shape(_ ratio: Double) -> Int {
    shapes.indices.min { (ratios[$0] - ratio).magnitude < (ratios[$1] - ratio).magnitude } ?? 0
  }

  private static let ratios = shapes.map { shape in
    exp(2 * lgamma(2 / shape) - lgamma(1 / shape) - lgamma(3 / shape))
  }
}

/// The magnitudes of numbers of a generalised normal distribution with standard deviation 1.
private struct HalfDistribution {
  private static let perUnit = 128
  private static let greatest = 24
  /// The share below each 128th.
  private var below: [Double] = [0]

  init(shape: Double) {
    let scale = exp((lgamma(1 / shape) - lgamma(3 / shape)) / 2)
    func density(_ x: Double) -> Double { exp(-pow(x / scale, shape)) }
    let step = 1 / Double(Self.perUnit)
    for index in 0..<Self.greatest * Self.perUnit {
      let x = Double(index) * step
      below.append(
        below[index] + step / 6 * (density(x) + 4 * density(x + step / 2) + density(x + step)))
    }
    let total = below[below.count - 1]
    for index in below.indices { below[index] /= total }
  }

  func share(from lower: Double, to upper: Double) -> Double {
    func value(_ x: Double) -> Double {
      let place = x * Double(Self.perUnit)
      guard place < Double(below.count - 1) else { return 1 }
      let index = Int(place)
      return below[index] + (place - Double(index)) * (below[index + 1] - below[index])
    }
    return value(upper) - value(lower)
  }
}
