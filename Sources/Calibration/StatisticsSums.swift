import Diagnostics
import ModelGraph
import Runtime
import Tensors

/// The statistics of all convolutions of a network while pictures are being added.
struct StatisticsSums {
  /// One group of a convolution's weights.
  private final class Sums {
    let gradients: MomentSums
    let inputs: MomentSums
    /// The weighted sum of squared gradients: what `inputs` are to be divided by.
    var energy = 0.0

    init(rows: Int, columns: Int) throws(StyleModelError) {
      gradients = try MomentSums(count: rows)
      inputs = try MomentSums(count: columns)
    }
  }

  /// What one use of some weights has met in the picture at hand.
  private struct Current {
    var gradients: MomentSums
    /// The squared gradients at each position.
    var energies: [Double]
  }

  private struct Key: Hashable {
    let node: ValueID
    let group: Int
  }

  private let graph: Graph
  private let workers: Workers
  /// The values that only live norms use, which remove their mean.
  private let isNormalized: Set<ValueID>
  private var order: [ValueID] = []
  private var layouts: [ValueID: WeightRows] = [:]
  private var sums: [ValueID: [Sums]] = [:]
  private var current: [Key: Current] = [:]

  init(_ graph: Graph, threads: Int?) throws(StyleModelError) {
    self.graph = graph
    workers = Workers(count: min(max(1, threads ?? Workers.allCores), Workers.greatestCount))
    let users = graph.users()
    isNormalized = Set(
      graph.nodes.map(\.result).filter { value in
        guard value != graph.output, let users = users[value] else { return false }
        return users.allSatisfy { if case .instanceNorm = graph.nodes[$0].operation { true } else { false } }
      })
    for node in graph.nodes {
      switch node.operation {
      case .convolution(let it): try add(it.weight, isTransposed: false, groups: it.groups)
      case .transposedConvolution(let it): try add(it.weight, isTransposed: true, groups: it.groups)
      default: break
      }
    }
  }

  private mutating func add(_ weight: ValueID, isTransposed: Bool, groups: Int) throws(StyleModelError) {
    guard let shape = graph.tensor(weight)?.shape else { return }
    let layout =
      isTransposed
      ? WeightRows(
        isTransposed: true, groups: groups, rows: shape[1], inputs: shape[0] / groups,
        taps: shape[2] * shape[3])
      : WeightRows(
        isTransposed: false, groups: groups, rows: shape[0] / groups, inputs: shape[1],
        taps: shape[2] * shape[3])
    if let known = layouts[weight] {
      guard known != layout else { return }
      // Used in two ways: it has no one matrix.
      layouts[weight] = nil
      sums[weight] = nil
      order.removeAll { $0 == weight }
      return
    }
    var groups: [Sums] = []
    for _ in 0..<layout.groups { groups.append(try Sums(rows: layout.rows, columns: layout.columns)) }
    order.append(weight)
    layouts[weight] = layout
    sums[weight] = groups
  }

  /// Forgets the picture before.
  mutating func begin() { current = [:] }

  /// Adds the gradients that have arrived at a convolution.
  mutating func addGradients(_ trace: ConvolutionTrace) {
    guard let groups = sums[trace.weight] else { return }
    let positions = trace.height * trace.width
    let width = trace.width
    for group in groups.indices {
      let key = Key(node: trace.node, group: group)
      guard
        var here = current.removeValue(forKey: key)
          ?? (try? MomentSums(count: trace.groupOutputs)).map({
            Current(gradients: $0, energies: [Double](repeating: 0, count: positions))
          })
      else { continue }
      here.gradients.add(positions, workers) { position, values in
        trace.readGradient(row: position / width, column: position % width, group: group, into: values)
      }
      here.energies.withUnsafeMutableBufferPointer { energies in
        nonisolated(unsafe) let energies = energies
        workers.forEach(trace.height) { row, _ in
          for column in 0..<width {
            energies[row * width + column] += trace.energy(row: row, column: column, group: group)
          }
        }
      }
      current[key] = here
    }
  }

  /// Adds the picture, `weight` times what it has brought.
  mutating func finish(_ run: GradientRun, weight: Double, positions: Int) throws(StyleModelError) {
    var failure: StyleModelError?
    run.forEachConvolution { trace in
      guard let groups = sums[trace.weight] else { return }
      for group in groups.indices {
        guard let here = current[Key(node: trace.node, group: group)] else { continue }
        let energy = here.energies.reduce(0, +)
        guard energy.isFinite else {
          failure = StyleModelError(.badInput, "the network's gradients are not finite")
          continue
        }
        groups[group].energy += weight * energy
        groups[group].gradients.merge(here.gradients, times: weight)
        add(
          trace, group, to: groups[group].inputs, energies: here.energies, weight: weight,
          positions: positions)
      }
    }
    current = [:]
    if let failure { throw failure }
  }

  /// Adds the second moments of what a group reads.
  private func add(
    _ trace: ConvolutionTrace, _ group: Int, to inputs: MomentSums, energies: [Double], weight: Double,
    positions: Int
  ) {
    let width = trace.width
    let (drawn, share) = drawPositions(energies, count: min(positions, energies.count))
    let factor = Float((weight * share).squareRoot())
    let isCentred = isNormalized.contains(trace.node)
    var mean = [Float](repeating: 0, count: inputs.count)
    if isCentred {
      let even = drawPositions([Double](repeating: 1, count: energies.count), count: drawn.count).positions
      mean = self.mean(of: even, count: inputs.count) { position, values in
        trace.readPatch(row: position / width, column: position % width, group: group, into: values)
      }
    }
    mean.withUnsafeBufferPointer { mean in
      nonisolated(unsafe) let mean = mean
      inputs.add(drawn.count, workers) { index, values in
        let position = drawn[index]
        trace.readPatch(row: position / width, column: position % width, group: group, into: values)
        for column in 0..<mean.count { values[column] = (values[column] - mean[column]) * factor }
      }
    }
  }

  /// The mean of vectors.
  private func mean(
    of positions: [Int], count: Int, read: (Int, UnsafeMutablePointer<Float>) -> Void
  ) -> [Float] {
    var total = [Double](repeating: 0, count: count)
    var values = [Float](repeating: 0, count: count)
    values.withUnsafeMutableBufferPointer { values in
      guard let base = values.baseAddress else { return }
      total.withUnsafeMutableBufferPointer { total in
        for position in positions {
          read(position, base)
          for index in 0..<count { total[index] += Double(base[index]) }
        }
      }
    }
    return total.map { Float($0 / Double(max(positions.count, 1))) }
  }

  /// The statistics of all pictures.
  /// - Parameter weights: how much each picture counted.
  func statistics(pictureWeights weights: [Double]) -> CalibrationStatistics {
    let total = weights.reduce(0, +)
    return CalibrationStatistics(
      layers: order.compactMap { weight in
        guard let layout = layouts[weight], let groups = sums[weight] else { return nil }
        return CalibrationStatistics.Layer(
          weight: weight, name: graph.constants[weight]?.name ?? "", layout: layout,
          groups: groups.map { group in
            CalibrationStatistics.Moments(
              inputs: group.inputs.matrix(times: group.energy > 0 ? 1 / group.energy : 0),
              gradients: group.gradients.matrix(times: 1 / total))
          })
      }, pictureWeights: weights)
  }
}
