public import Diagnostics
import Glibc
public import ModelGraph
public import Tensors

/// The weights of a convolution as places in tables of few numbers.
public struct PalettizedTensor: Sendable {
  /// The weights.
  public let weight: ValueID
  /// The tensor's shape.
  public let shape: Shape
  /// The axis of the channels that are shared out among the tables.
  public let axis: Int
  /// How many neighbouring channels have a table together.
  public let channelsPerTable: Int
  /// The tables, each sorted and `2^bits` long.
  public let tables: [[Float]]
  /// For each weight, in the tensor's own order, its place in the table.
  public let indices: [UInt8]
  /// The mean squared change of a sample of the picture that is expected, in squared pixel units.
  public let expectedLoss: Double

  /// The weights, in the tensor's own order.
  public var floats: [Float] {
    let inner = shape.dimensions[(axis + 1)...].reduce(1, *)
    return indices.enumerated().map { index, place in
      tables[index / inner % shape[axis] / channelsPerTable][Int(place)]
    }
  }
}

extension CompensatedRounding {
  /// Rounds one convolution's weights to tables of `2^bits` numbers, errors made up for. The numbers of a table are the
  /// weighted means of k clusters, each weight counting as much as an error in it does to the picture.
  /// - Parameters:
  ///   - bits: 1 to 8.
  ///   - channelsPerTable: how many neighbouring output channels have a table together, a divisor of their number; nil is one
  ///     table for the tensor.
  /// - Returns: nil where nothing is known of these weights.
  /// - Throws: `.usage` when `bits` or `channelsPerTable` are out of range.
  public func palettized(
    _ weight: ValueID, bits: Int, channelsPerTable: Int? = nil
  ) throws(StyleModelError) -> PalettizedTensor? {
    guard let layer = layers.first(where: { $0.weight == weight }) else { return nil }
    let channels = layer.layout.channels
    let shared = channelsPerTable ?? channels
    guard (1...8).contains(bits), shared > 0, channels % shared == 0 else {
      throw StyleModelError(
        .usage, "a palette wants 1 to 8 bits, and tables for a part of \(channels) channels that divides them"
      )
    }
    var values = [[(value: Float, weight: Double)]](repeating: [], count: channels / shared)
    for (index, group) in layer.groups.enumerated() {
      for row in 0..<layer.layout.rows {
        let table = layer.layout.channel(group: index, row: row) / shared
        for (place, column) in group.columnOrder.enumerated() {
          let energy = Double(group.columnEnergies[place]) * Double(group.rowEnergies[row])
          values[table].append(
            (layer.floats[layer.layout.index(group: index, row: row, column: column)], energy))
        }
      }
    }
    let tables = values.map { weightedMeans($0, count: 1 << bits) }
    let flat = tables.flatMap { $0 }
    var rounded: RoundedTensor?
    var failure: StyleModelError?
    flat.withUnsafeBufferPointer { flat in
      guard let base = flat.baseAddress else { return }
      do throws(StyleModelError) {
        rounded = try round(
          layer, scales: [Float](repeating: 1, count: channels), offsets: [], isDependent: false, bitWorth: 0,
          deadZone: 0
        ) { channel in
          LayerRounding.Grid(
            step: 1, lowest: 0, highest: Int32(1 << bits - 1), table: base + channel / shared * (1 << bits))
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    guard let rounded else { return nil }
    return PalettizedTensor(
      weight: weight, shape: layer.shape, axis: layer.layout.axis, channelsPerTable: shared, tables: tables,
      indices: rounded.integers.map { UInt8(truncatingIfNeeded: $0) }, expectedLoss: rounded.expectedLoss)
  }
}

/// The means of clusters of numbers on a line, each number counting by its weight: Lloyd's iteration from clusters that each
/// hold as much of the cube root of the weighted density, which is where the best ones end up for many clusters.
/// - Returns: `count` numbers in rising order; the last are repeated where there are fewer different ones.
func weightedMeans(_ numbers: [(value: Float, weight: Double)], count: Int) -> [Float] {
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
