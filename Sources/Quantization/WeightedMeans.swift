import Glibc

/// The means of clusters of numbers on a line, each number counting by its weight: Lloyd's iteration from clusters that each
/// hold as much of the cube root of the weighted density, which is where the best ones end up for many clusters.
/// - Parameters:
///   - numbers: the numbers, each with its weight.
///   - count: how many clusters there are.
/// - Returns: `count` numbers in rising order; the last are repeated where there are fewer different ones.
public func weightedMeans(_ numbers: [(value: Float, weight: Double)], count: Int) -> [Float] {
  let sorted = numbers.sorted { ($0.value, $0.weight) < ($1.value, $1.weight) }
  guard let first = sorted.first, let last = sorted.last else { return [Float](repeating: 0, count: count) }
  // Sums of weights, and of weights times numbers, before each place.
  var weights = [0.0]
  var moments = [0.0]
  for item in sorted {
    weights.append(weights[weights.count - 1] + max(item.weight, 1e-300))
    moments.append(moments[moments.count - 1] + max(item.weight, 1e-300) * Double(item.value))
  }
  var means = startingMeans(sorted, count: count)
  for _ in 0..<100 {
    var next: [Float] = []
    var begin = 0
    for cluster in 0..<count {
      let border =
        cluster + 1 < count ? (Double(means[cluster]) + Double(means[cluster + 1])) / 2 : Double.infinity
      let end =
        cluster + 1 < count ? firstIndex(sorted, from: begin) { Double($0.value) > border } : sorted.count
      let weight = weights[end] - weights[begin]
      let mean = weight > 0 ? Float((moments[end] - moments[begin]) / weight) : means[cluster]
      next.append(min(max(mean, next.last ?? first.value), last.value))
      begin = end
    }
    if next == means { break }
    means = next
  }
  return means
}

/// Where clusters begin: at equal parts of a running sum of the cube root of density, over pieces of the range.
private func startingMeans(_ sorted: [(value: Float, weight: Double)], count: Int) -> [Float] {
  let pieces = 512
  let (low, high) = (sorted[0].value, sorted[sorted.count - 1].value)
  guard high > low else { return [Float](repeating: low, count: count) }
  var density = [Double](repeating: 0, count: pieces)
  for item in sorted {
    density[min(Int((item.value - low) / (high - low) * Float(pieces)), pieces - 1)] += item.weight
  }
  let largest = density.max() ?? 0
  let roots = density.map { cbrt($0 / max(largest, 1e-300)) + 1e-3 }
  let total = roots.reduce(0, +)
  var means: [Float] = []
  var sum = 0.0
  for (piece, root) in roots.enumerated() {
    while means.count < count, sum + root >= total * (Double(means.count) + 0.5) / Double(count) {
      let inside = (total * (Double(means.count) + 0.5) / Double(count) - sum) / root
      means.append(low + (high - low) * Float((Double(piece) + inside) / Double(pieces)))
    }
    sum += root
  }
  while means.count < count { means.append(high) }
  return means
}

/// The first place from `start` on whose number satisfies what all later ones satisfy too.
private func firstIndex(
  _ sorted: [(value: Float, weight: Double)], from start: Int,
  where isBeyond: ((value: Float, weight: Double)) -> Bool
) -> Int {
  var (low, high) = (start, sorted.count)
  while low < high {
    let middle = (low + high) / 2
    if isBeyond(sorted[middle]) { high = middle } else { low = middle + 1 }
  }
  return low
}
