import ModelGraph
import Tensors
import TestSupport

@testable import Calibration

/// A layer with moments like those that pictures give: a few directions matter far more than the rest.
struct SampleLayer {
  var graph: Graph
  let statistics: CalibrationStatistics
  let layout: WeightRows
  let weight: ValueID

  init(rows: Int, inputs: Int, taps: Int = 1, groups: Int = 1, isTransposed: Bool = false, seed: UInt64 = 1) {
    var random = SeededRandom(seed: seed)
    layout = WeightRows(isTransposed: isTransposed, groups: groups, rows: rows, inputs: inputs, taps: taps)
    graph = Graph(contract: PixelPreset.unit.contract)
    let shape: Shape =
      isTransposed ? [groups * inputs, rows, 1, taps] : [groups * rows, inputs, 1, taps]
    weight = graph.addConstant("weight", random.tensor(shape))
    let (columns, count) = (layout.columns, layout.rows)
    statistics = CalibrationStatistics(layers: [
      CalibrationStatistics.Layer(
        weight: weight, name: "weight", layout: layout,
        groups: (0..<groups).map { _ in
          CalibrationStatistics.Moments(
            inputs: Self.moments(columns, &random), gradients: Self.moments(count, &random))
        })
    ])
  }

  private static func moments(_ count: Int, _ random: inout SeededRandom) -> [Float] {
    var sum = [Double](repeating: 0, count: count * count)
    for _ in 0..<count / 2 + 1 {
      let vector = random.floats(count).map(Double.init)
      let size = Double.random(in: 0.01...3, using: &random)
      for row in 0..<count {
        for column in 0..<count { sum[row * count + column] += size * vector[row] * vector[column] }
      }
    }
    return sum.map { Float($0) }
  }

  /// tr(G ΔW H ΔWᵀ) over all groups, in double precision, for moments that are damped.
  func loss(_ changed: [Float], inputDamping: Double = 0, gradientDamping: Double = 0) -> Double {
    let original = graph.tensor(weight)?.floats() ?? []
    var total = 0.0
    for (group, moments) in statistics.layers[0].groups.enumerated() {
      let (rows, columns) = (layout.rows, layout.columns)
      let h = damped(moments.inputs, columns, inputDamping)
      let g = damped(moments.gradients, rows, gradientDamping)
      let change = (0..<rows).map { row in
        (0..<columns).map { column in
          let index = layout.index(group: group, row: row, column: column)
          return Double(original[index]) - Double(changed[index])
        }
      }
      for i in 0..<rows {
        let passed = (0..<columns).map { column in
          (0..<columns).reduce(0) { $0 + change[i][$1] * h[$1 * columns + column] }
        }
        for j in 0..<rows {
          total += g[i * rows + j] * (0..<columns).reduce(0) { $0 + passed[$1] * change[j][$1] }
        }
      }
    }
    return total
  }

  private func damped(_ matrix: [Float], _ count: Int, _ damping: Double) -> [Double] {
    let mean = (0..<count).reduce(0) { $0 + Double(matrix[$1 * count + $1]) } / Double(count)
    return matrix.indices.map { Double(matrix[$0]) + ($0 % (count + 1) == 0 ? damping * mean : 0) }
  }
}
