import CKernels
public import Diagnostics
import Glibc
public import ModelGraph
import Runtime
public import Tensors

/// Rounds the weights of a network's convolutions so that errors make up for one another where the picture is concerned.
///
/// The factors of all moments are made once; each rounding after that takes a fraction of a second. Results do not depend on
/// the number of threads.
public final class CompensatedRounding: Sendable {
  /// One convolution's weights.
  struct Layer: Sendable {
    let weight: ValueID
    let name: String
    let shape: Shape
    let layout: WeightRows
    let floats: [Float]
    let groups: [LayerRounding]
  }

  let layers: [Layer]
  /// How weights are rounded.
  public let options: RoundingOptions
  let workers: Workers

  /// Factors the moments.
  /// - Parameters:
  ///   - graph: the network that the statistics were measured on.
  ///   - progress: is told the share that is done, from 0 to 1.
  /// - Throws: `.badInput` when a layer's moments are not finite or there is not enough memory.
  public init(
    _ graph: Graph, statistics: CalibrationStatistics, options: RoundingOptions = RoundingOptions(),
    threads: Int? = nil, progress: (Double) -> Void = { _ in }
  ) throws(StyleModelError) {
    self.options = options
    workers = Workers(count: min(max(1, threads ?? Workers.allCores), Workers.greatestCount))
    var layers: [Layer] = []
    for (index, layer) in statistics.layers.enumerated() {
      guard let tensor = graph.tensor(layer.weight) else { continue }
      let floats = tensor.floats()
      var groups: [LayerRounding] = []
      do throws(StyleModelError) {
        for (group, moments) in layer.groups.enumerated() {
          groups.append(
            try LayerRounding(
              moments, rows: layer.layout.rows, columns: layer.layout.columns, options: options,
              keepsRowOrder: Calibration.isDependent(layer.layout, options), workers: workers
            ) { floats[layer.layout.index(group: group, row: $0, column: $1)] })
        }
      } catch {
        throw StyleModelError(error.kind, place: "tensor \(layer.name)", error.problem, remedy: error.remedy)
      }
      layers.append(
        Layer(
          weight: layer.weight, name: layer.name, shape: tensor.shape, layout: layer.layout, floats: floats,
          groups: groups))
      progress(Double(index + 1) / Double(statistics.layers.count))
    }
    self.layers = layers
  }

  /// How many weights are rounded.
  public var weightCount: Int { layers.reduce(0) { $0 + $1.floats.count } }

  /// The weights as they are before rounding.
  public var floats: [ValueID: StoredTensor] {
    Dictionary(
      uniqueKeysWithValues: layers.map { ($0.weight, StoredTensor(shape: $0.shape, floats: $0.floats)) })
  }

  /// By how much the samples of the pictures change, in the root mean square, where every weight of a layer is off by a random
  /// share of the layer's root mean square and later weights make up for it; in pixel units.
  /// - Parameters:
  ///   - weight: the layer's weights.
  ///   - noise: the share, such as 0.01.
  /// - Returns: 0 where nothing is known of the weights.
  public func expectedChange(of weight: ValueID, noise: Double) -> Double {
    guard let layer = layers.first(where: { $0.weight == weight }) else { return 0 }
    let square = layer.floats.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(layer.floats.count, 1))
    let energy = layer.groups.reduce(0) { sum, group in
      sum + group.rowEnergies.reduce(0) { $0 + Double($1) } * group.meanColumnEnergy * Double(group.columns)
    }
    return noise * (square * energy).squareRoot()
  }

  /// Rounds all layers to steps of their own, for entropy coding: each row's step is `delta` over the square root of its
  /// sensitivity, so that a bit saves as much of the picture's error wherever it is spent. Steps are powers of 2^(1/8).
  /// - Parameter delta: about the root mean squared change of the picture that the step of one weight makes.
  public func rounded(delta: Double) throws(StyleModelError) -> [RoundedTensor] {
    try forEachLayer { layer throws(StyleModelError) in try self.rounded(layer, delta: delta) }
  }

  /// Calls `body` for every layer, on several threads, and gathers the results in their order.
  func forEachLayer(
    _ body: (Layer) throws(StyleModelError) -> RoundedTensor
  ) throws(StyleModelError) -> [RoundedTensor] {
    var results = [Result<RoundedTensor, StyleModelError>?](repeating: nil, count: layers.count)
    // The largest first, so that no thread is left with it at the end.
    let order = layers.indices.sorted { (-layers[$0].floats.count, $0) < (-layers[$1].floats.count, $1) }
    results.withUnsafeMutableBufferPointer { results in
      nonisolated(unsafe) let results = results
      workers.forEach(layers.count) { position, _ in
        let index = order[position]
        results[index] = Result { () throws(StyleModelError) in try body(layers[index]) }
      }
    }
    var tensors: [RoundedTensor] = []
    for case let result? in results { tensors.append(try result.get()) }
    return tensors
  }

  private func rounded(_ layer: Layer, delta: Double) throws(StyleModelError) -> RoundedTensor {
    let isDependent = Calibration.isDependent(layer.layout, options)
    let scales = steps(of: layer, delta: isDependent ? delta / 2 : delta)
    let spread = RowSpread(layer, scales: scales)
    let bitWorth = options.bitWeight * 2 * log(2.0) * delta * delta / 12 * (isDependent ? 0.8 : 1)
    let kind: CodeLengths.Kind = isDependent ? .dependent : .plain
    let usesRates = isDependent || options.bitWeight > 0
    return try round(
      layer, scales: scales, offsets: [], isDependent: isDependent, bitWorth: bitWorth,
      deadZone: usesRates ? 0 : options.deadZone
    ) { channel in
      var grid = LayerRounding.Grid(step: scales[channel])
      if usesRates {
        grid.rates = CodeLengths.shared.withLengths(kind, shape: spread.shape, width: spread.widths[channel])
        { $0 }
      }
      return grid
    }
  }

  /// The steps of a layer's channels: none so small that the integers would be wider than files hold.
  private func steps(of layer: Layer, delta: Double) -> [Float] {
    var logarithms = [Double](repeating: 0, count: layer.layout.channels)
    var counts = [Double](repeating: 0, count: layer.layout.channels)
    var greatest = [Float](repeating: 0, count: layer.layout.channels)
    for (index, group) in layer.groups.enumerated() {
      for row in 0..<layer.layout.rows {
        let channel = layer.layout.channel(group: index, row: row)
        logarithms[channel] -= log2(Double(group.rowEnergies[row]) * group.meanColumnEnergy) / 2
        counts[channel] += 1
        for column in 0..<layer.layout.columns {
          greatest[channel] = max(
            greatest[channel],
            layer.floats[layer.layout.index(group: index, row: row, column: column)].magnitude)
        }
      }
    }
    return (0..<layer.layout.channels).map { channel in
      let wanted = delta * exp2(logarithms[channel] / max(counts[channel], 1))
      // Weights that make up for others may become half as large again.
      let least = 1.5 * Double(greatest[channel]) / Double(Int16.max)
      return OctaveSteps.exponent(nearestTo: max(wanted, least)).map(OctaveSteps.step) ?? 1
    }
  }

  /// Rounds a layer, each group on its own.
  func round(
    _ layer: Layer, scales: [Float], offsets: [Float], isDependent: Bool, bitWorth: Double, deadZone: Double,
    grid: (_ channel: Int) -> LayerRounding.Grid
  ) throws(StyleModelError) -> RoundedTensor {
    var integers = [Int32](repeating: 0, count: layer.floats.count)
    var loss = 0.0
    for (index, group) in layer.groups.enumerated() {
      let rows = (0..<layer.layout.rows).map { grid(layer.layout.channel(group: index, row: $0)) }
      loss += try group.round(rows, deadZone: deadZone, bitWorth: bitWorth, isDependent: isDependent) {
        integers[layer.layout.index(group: index, row: $0, column: $1)] = $2
      }
    }
    return RoundedTensor(
      weight: layer.weight, name: layer.name, shape: layer.shape, layout: layer.layout, integers: integers,
      scales: scales, offsets: offsets, isDependent: isDependent, rowOrders: layer.groups.map(\.rowOrder),
      expectedLoss: loss)
  }
}

/// Whether the integers of a layer depend on one another: not where there are too few rows for a column's states to differ, nor
/// where the rows of several groups are those of one tensor, whose readers know one sequence a column.
private func isDependent(_ layout: WeightRows, _ options: RoundingOptions) -> Bool {
  options.isDependent && layout.rows >= 8 && (layout.groups == 1 || layout.isTransposed)
}

/// How the weights of each channel are spread, in steps.
private struct RowSpread {
  /// An index into `CodeLengths.shapes`.
  let shape: Int
  /// For each channel an index into `CodeLengths.widths`.
  let widths: [Int]

  init(_ layer: CompensatedRounding.Layer, scales: [Float]) {
    let layout = layer.layout
    var sums = [(magnitude: Double, square: Double, count: Double)](
      repeating: (0, 0, 0), count: layout.channels)
    for group in 0..<layout.groups {
      for row in 0..<layout.rows {
        let channel = layout.channel(group: group, row: row)
        for column in 0..<layout.columns {
          let value =
            Double(layer.floats[layout.index(group: group, row: row, column: column)])
            / Double(scales[channel])
          sums[channel].magnitude += value.magnitude
          sums[channel].square += value * value
          sums[channel].count += 1
        }
      }
    }
    var ratio = 0.0
    var total = 0.0
    for sum in sums where sum.square > 0 {
      ratio += sum.magnitude * sum.magnitude / (sum.square * sum.count) * sum.count
      total += sum.count
    }
    shape = CodeLengths.shape(total > 0 ? ratio / total : 0.5)
    widths = sums.map { CodeLengths.width(($0.square / max($0.count, 1)).squareRoot()) }
  }
}
