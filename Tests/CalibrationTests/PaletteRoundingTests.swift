import ModelGraph
import Quantization
import Tensors
import TestSupport
import Testing

@testable import Calibration

@Suite struct PaletteRoundingTests {
  @Test(arguments: CompensatedRoundingTests.layers.indices, [2, 4]) func beatsTheNearestOfItsTables(
    _ index: Int, bits: Int
  ) throws {
    let layer = CompensatedRoundingTests.layers[index].layer
    let rounding = try CompensatedRounding(layer.graph, statistics: layer.statistics)
    let layout = layer.layout
    for tables in [1, layout.channels, layout.channels % 2 == 0 ? layout.channels / 2 : 1] {
      let form = PaletteForm(bits: bits, axis: tables == 1 ? nil : layout.axis, tables: tables)
      let tensor = try #require(try rounding.rounded(layer.weight, form: form))
      guard case .palette(let palette) = tensor.encoding else {
        Issue.record("is \(tensor.encoding)")
        continue
      }
      #expect(palette.tables.count == tables)
      let weights = layer.graph.tensor(layer.weight)?.floats() ?? []
      let nearest = weights.enumerated().map { index, value in
        palette.tables[form.table(of: index, in: tensor.shape)]
          .min { ($0 - value).magnitude < ($1 - value).magnitude } ?? 0
      }
      let (compensated, plain) = (layer.loss(tensor.floats()), layer.loss(nearest))
      #expect(compensated < plain, "\(compensated), and \(plain) with the nearest of the tables")
    }
  }

  @Test func knowsOnlyTablesAlongItsChannels() throws {
    let layer = CompensatedRoundingTests.layers[2].layer
    let rounding = try CompensatedRounding(layer.graph, statistics: layer.statistics)
    let form = PaletteForm(bits: 4, axis: 1 - layer.layout.axis, tables: 1)
    #expect(try rounding.rounded(layer.weight, form: form) == nil)
  }
}
