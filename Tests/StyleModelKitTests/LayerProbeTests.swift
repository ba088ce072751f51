import TestSupport
import Testing

@testable import StyleModelKit

@Suite struct LayerProbeTests {
  /// The tiny network's graph as it is after the passes, and with its weights stored by a scheme.
  private func tiny(_ scheme: String, keep: [String] = []) throws -> (float: Graph, stored: Graph) {
    let folder = try TemporaryFolder()
    let importOptions = try folder.tinyNetwork()
    let conversion = try folder.convert(
      "tiny.pth", to: "tiny.stylemodel", scheme, keep: keep, importOptions: importOptions
    ).conversion
    return (try conversion.source.optimizedGraph().graph, conversion.graph)
  }

  private func measured(_ float: Graph, _ stored: Graph, on picture: Picture) throws -> [LayerNoise] {
    var probe = try #require(LayerProbe(float: float, stored: stored, threads: 2))
    try probe.measure(picture)
    return probe.layers
  }

  @Test func theSameNetworkAddsNoNoise() throws {
    let float = try tiny("fp32").float
    let layers = try measured(float, float, on: picture("chelsea_96x64.png"))
    #expect(layers.map(\.name) == ["conv1", "conv2"])
    #expect(layers.allSatisfy { $0.signal > 0 && $0.ownNoise == 0 && $0.arrivedNoise == 0 })
    #expect(layers.allSatisfy { $0.ownRatio == .infinity && $0.relativeNoise == 0 })
  }

  /// A layer's own noise is its own: it is fed by the float network. What arrives has it and all before.
  @Test func noiseIsFoundWhereItIsMade() throws {
    let shown = try picture("chelsea_96x64.png")
    let (float, first) = try tiny("int4", keep: ["last"])
    let one = try measured(float, first, on: shown)
    #expect(one[0].ownNoise > 0 && one[0].ownNoise == one[0].arrivedNoise)
    #expect(one[1].ownNoise == 0 && one[1].arrivedNoise > 0)
    let (_, last) = try tiny("int4", keep: ["first", "in1.weight", "in1.bias"])
    let two = try measured(float, last, on: shown)
    #expect(two[0].ownNoise == 0 && two[0].arrivedNoise == 0)
    #expect(two[1].ownNoise > 0 && two[1].ownNoise == two[1].arrivedNoise)
    #expect(two[1].storage.hasPrefix("int4") && two[0].storage == "float32")
  }

  /// The plain executor runs the float network with one layer exchanged.
  @Test func figuresAreThoseOfTheDefinition() throws {
    let (float, stored) = try tiny("int3")
    let shown = try picture("noise_96x64.png").cropped(x: 3, y: 5, width: 21, height: 14)
    let layers = try measured(float, stored, on: shown)
    let input = PlainExecutor.Map(
      channels: 3, height: 14, width: 21,
      values: (0..<3 * 294).map {
        Double(shown.samples[$0 % 294 * 3 + $0 / 294] * float.contract.inputScale[0])
      })
    for (index, layer) in float.weightedLayers.enumerated() {
      var exchanged = float
      let partner = stored.weightedLayers[index]
      for (old, new) in zip(layer.nodes, partner.nodes) {
        let operands = zip(float.nodes[old].operation.operands, stored.nodes[new].operation.operands)
        for (old, new) in operands {
          if let tensor = stored.tensor(new) { exchanged.setTensor(tensor, of: old) }
        }
      }
      var plain = float
      plain.output = layer.result
      exchanged.output = layer.result
      let expected = try PlainExecutor(plain).run(input).values
      let actual = try PlainExecutor(exchanged).run(input).values
      let signal = expected.reduce(0) { $0 + $1 * $1 }
      let noise = zip(expected, actual).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      #expect(noise > 0)
      #expect(abs(layers[index].signal - signal) <= 1e-5 * signal)
      #expect(abs(layers[index].ownNoise - noise) <= 1e-3 * noise)
    }
  }

  @Test func otherNetworksAreNotCompared() throws {
    let float = try tiny("fp32").float
    let other = try loadModel(fixturePath(mosaic)).optimizedGraph().graph
    #expect(LayerProbe(float: float, stored: other, threads: 1) == nil)
    var otherPixels = float
    otherPixels.contract.inputScale[1] *= 2
    #expect(LayerProbe(float: float, stored: otherPixels, threads: 1) == nil)
  }

  @Test(arguments: [
    ("model.0.block.1.weight", "model.0.block.1"), ("conv.weight.folded", "conv"),
    ("conv.weight.folded.2", "conv"), ("w", "w"), ("w.folded", "w"), ("folded", "folded"),
  ])
  func layersAreNamedByTheirTensors(tensor: String, layer: String) {
    #expect(layerName(ofTensor: tensor) == layer)
  }
}
