import Glibc

/// A scale of a plot, with ticks at round numbers.
struct PlotAxis {
  /// Where the values of ticks are, 0…1 along the axis.
  let ticks: [(value: Double, place: Double)]
  private let transform: (Double) -> Double
  private let lower: Double
  private let upper: Double

  private init(_ lower: Double, _ upper: Double, ticks: [Double], by transform: @escaping (Double) -> Double)
  {
    self.lower = transform(lower)
    self.upper = transform(upper)
    self.transform = transform
    let (first, last) = (self.lower, self.upper)
    self.ticks = ticks.filter { $0 >= lower && $0 <= upper }.map {
      ($0, (transform($0) - first) / (last - first))
    }
  }

  /// Where a value is, 0…1.
  func place(_ value: Double) -> Double { (transform(value) - lower) / (upper - lower) }

  /// An even scale that holds the values: about six ticks, from a tick on.
  static func even(_ values: [Double]) -> PlotAxis {
    let least = values.min() ?? 0
    let greatest = max(values.max() ?? 1, least + 1)
    let rough = (greatest - least) / 6
    let power = pow(10, floor(log10(rough)))
    let step = [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 >= rough } ?? 10 * power
    let lower = (least / step).rounded(.down) * step
    let count = Int(((greatest - lower) / step).rounded(.up))
    return PlotAxis(
      lower, lower + Double(count) * step, ticks: (0...count).map { lower + Double($0) * step }
    ) { $0 }
  }

  /// A logarithmic scale that holds the positive values, with some room beside them; ticks at 1, 2 and 5 times powers
  /// of ten.
  static func logarithmic(_ values: [Double]) -> PlotAxis {
    let least = (values.min() ?? 1e3) / 1.25
    let greatest = (values.max() ?? 1e6) * 1.35
    let powers = Int(floor(log10(least)))...Int(ceil(log10(greatest)))
    let ticks = powers.flatMap { power in [1, 2, 5].map { $0 * pow(10, Double(power)) } }
    return PlotAxis(least, greatest, ticks: ticks) { log10($0) }
  }
}
