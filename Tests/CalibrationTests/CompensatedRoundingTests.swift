import Diagnostics
import Glibc
import ModelGraph
import Quantization
import Tensors
import TestSupport
import Testing

@testable import Calibration

@Suite struct CompensatedRoundingTests {
  static let layers: [(name: String, layer: SampleLayer)] = [
    ("one row", SampleLayer(rows: 1, inputs: 100)),
    ("small", SampleLayer(rows: 9, inputs: 5, taps: 3)),
    ("panels", SampleLayer(rows: 32, inputs: 8, taps: 6)),
    ("groups", SampleLayer(rows: 8, inputs: 3, taps: 4, groups: 3)),
    ("transposed", SampleLayer(rows: 10, inputs: 6, taps: 4, groups: 2, isTransposed: true)),
  ]

  private func rounding(
    _ layer: SampleLayer, _ options: RoundingOptions = RoundingOptions(), threads: Int = 2
  ) throws -> CompensatedRounding {
    try CompensatedRounding(layer.graph, statistics: layer.statistics, options: options, threads: threads)
  }

  /// The loss that is summed while rounding is that of the damped moments, to the last term.
  @Test(arguments: layers.indices, [false, true]) func expectsTheLossThatItMakes(
    _ index: Int, isDependent: Bool
  )
    throws
  {
    let layer = Self.layers[index].layer
    for bitWeight in [0.0, 1] {
      let options = RoundingOptions(isDependent: isDependent, bitWeight: bitWeight)
      let tensor = try rounding(layer, options).rounded(delta: 0.05)[0]
      let loss = layer.loss(
        tensor.floats, inputDamping: options.inputDamping, gradientDamping: options.gradientDamping)
      #expect((tensor.expectedLoss - loss).magnitude < 2e-3 * loss, "\(tensor.expectedLoss) for \(loss)")
    }
  }

  /// The nearest multiples of the same steps, one by one.
  private func nearest(_ tensor: RoundedTensor, _ layer: SampleLayer) -> RoundedTensor {
    let weights = layer.graph.tensor(layer.weight)?.floats() ?? []
    var result = tensor
    for group in 0..<layer.layout.groups {
      for row in 0..<layer.layout.rows {
        let scale = tensor.scales[layer.layout.channel(group: group, row: row)]
        for column in 0..<layer.layout.columns {
          let index = layer.layout.index(group: group, row: row, column: column)
          result.integers[index] = Int32((weights[index] / scale).rounded(.toNearestOrEven))
        }
      }
    }
    return result
  }

  @Test(arguments: layers.indices) func beatsRoundingToNearest(_ index: Int) throws {
    let layer = Self.layers[index].layer
    let tensor = try rounding(layer, RoundingOptions(deadZone: 0, isDependent: false, bitWeight: 0))
      .rounded(delta: 0.2)[0]
    let plain = layer.loss(nearest(tensor, layer).floats)
    let compensated = layer.loss(tensor.floats)
    #expect(compensated < 0.7 * plain, "\(compensated), and \(plain) rounded to nearest")
    #expect(plain > 0)
  }

  @Test func dependentRoundingErrsLessForItsBits() throws {
    let layer = SampleLayer(rows: 48, inputs: 60, seed: 9)
    func curve(_ isDependent: Bool, _ delta: Double) throws -> (bits: Double, loss: Double) {
      let tensor = try rounding(layer, RoundingOptions(isDependent: isDependent)).rounded(delta: delta)[0]
      return (tensor.estimatedCodeLength, tensor.expectedLoss)
    }
    for delta in [0.3, 1] {
      let plain = try curve(false, delta)
      // At the loss of plain rounding, between two points of the other curve, on logarithmic scales.
      let coarse = try curve(true, delta * 1.3)
      let fine = try curve(true, delta)
      #expect(fine.loss < plain.loss)
      let part = log(plain.loss / coarse.loss) / log(fine.loss / coarse.loss)
      let bits = coarse.bits + part * (fine.bits - coarse.bits)
      #expect(bits < 0.98 * plain.bits, "delta \(delta): \(bits) for \(plain.bits)")
    }
  }

  @Test(arguments: layers.indices) func integersFollowTheStates(_ index: Int) throws {
    let layer = Self.layers[index].layer
    let tensor = try rounding(layer).rounded(delta: 0.3)[0]
    #expect(
      tensor.isDependent
        == (layer.layout.rows >= 8 && (layer.layout.groups == 1 || layer.layout.isTransposed)))
    guard tensor.isDependent else { return }
    var states: Set<Int> = []
    for group in 0..<layer.layout.groups {
      #expect(tensor.rowOrders[group] == Array(0..<layer.layout.rows))
      for column in 0..<layer.layout.columns {
        var (there, back) = (DependentStates(), DependentStates())
        for row in tensor.rowOrders[group] {
          states.insert(there.state)
          let integer = tensor.integers[layer.layout.index(group: group, row: row, column: column)]
          guard let place = there.index(of: integer) else {
            Issue.record("\(integer) in state \(there.state)")
            return
          }
          let integerAgain = back.integer(at: place)
          #expect(integerAgain == integer)
        }
      }
    }
    #expect(states.count == DependentStates.count)
  }

  @Test func sameIntegersForAnyThreads() throws {
    var random = SeededRandom(seed: 4)
    var graph = Graph(contract: PixelPreset.unit.contract)
    var layers: [CalibrationStatistics.Layer] = []
    for (index, rows) in [20, 8, 33].enumerated() {
      let sample = SampleLayer(rows: rows, inputs: 30, seed: UInt64(index))
      let weight = graph.addConstant("weight\(index)", random.tensor([rows, 30, 1, 1]))
      layers.append(
        .init(weight: weight, name: "", layout: sample.layout, groups: sample.statistics.layers[0].groups))
    }
    let statistics = CalibrationStatistics(layers: layers)
    let results = try [1, 2, 7].map {
      try CompensatedRounding(graph, statistics: statistics, threads: $0).rounded(delta: 0.1).map(\.integers)
    }
    #expect(results[1] == results[0])
    #expect(results[2] == results[0])
  }

  @Test func equalsNearestWhereNothingIsToBeMadeUpFor() throws {
    let layer = SampleLayer(rows: 8, inputs: 6)
    func identity(_ count: Int) -> [Float] { (0..<count * count).map { $0 % (count + 1) == 0 ? 1 : 0 } }
    let statistics = CalibrationStatistics(layers: [
      .init(
        weight: layer.weight, name: "", layout: layer.layout,
        groups: [.init(inputs: identity(6), gradients: identity(8))])
    ])
    let tensor = try CompensatedRounding(
      layer.graph, statistics: statistics,
      options: RoundingOptions(deadZone: 0, isDependent: false, bitWeight: 0)
    ).rounded(delta: 0.1)[0]
    #expect(tensor.integers == nearest(tensor, layer).integers)
    #expect(Set(tensor.scales).count == 1)
  }
}
