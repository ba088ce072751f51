import Diagnostics
import TestSupport
import Testing

@testable import StyleModelKit

@Suite struct SensitivityTests {
  @Test func everyLayerAloneIsMeasured() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    // Small pictures make it quick.
    let small = try convert(
      loadModel(fixturePath(mosaic)), quantization: .fp32,
      sizes: .listed([PictureSize(width: 48, height: 48)]))
    try small.write(to: folder.path("small.stylemodel"))
    let model = try loadModel(folder.path("small.stylemodel"))
    var told: [Double] = []
    let layers = try layerSensitivities(of: model, widths: [8, 4]) { told.append($0) }
    #expect(layers.count == 16)
    #expect(
      layers.reduce(0) { $0 + $1.count }
        == model.graph.weightedLayers.reduce(0) { sum, layer in
          sum + (model.graph.tensor(layer.weight)?.shape.count ?? 0)
        })
    #expect(told == told.sorted() && told.last == 1)
    for layer in layers {
      #expect(layer.widths.map(\.bits) == [8, 4])
      let (fine, coarse) = (layer.widths[0], layer.widths[1])
      // Four bits less are sixteen times the step.
      #expect((6...40).contains(coarse.measuredChange / fine.measuredChange), "\(layer)")
      for width in layer.widths {
        // Errors of the first layer are the farthest from small, and cut off by what follows.
        #expect((0.1...3).contains(width.measuredChange / width.expectedChange), "\(layer)")
      }
      #expect(fine.codedBitsPerWeight > coarse.codedBitsPerWeight)
      #expect(layer.changeByNoise > 0)
    }
  }

  @Test func widthsOutOfRangeAreRefused() throws {
    let model = try loadModel(fixturePath(mosaic))
    let error = #expect(throws: StyleModelError.self) { try layerSensitivities(of: model, widths: [4, 9]) }
    #expect(error?.kind == .usage)
  }
}
