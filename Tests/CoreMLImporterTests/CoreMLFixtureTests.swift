import CoreMLImporter
import Diagnostics
import Imaging
import ModelGraph
import Passes
import Runtime
import Tensors
import TestSupport
import Testing

/// Files that coremltools and Turi Create wrote, against what an independent runner makes of them.
@Suite struct CoreMLFixtureTests {
  private static func network(_ name: String) throws -> CoreMLNetwork {
    try readCoreML(try fixtureBytes("coreml/\(name).mlmodel")).network.get()
  }

  /// The picture that Fixtures/coreml/make_references.py draws too.
  private static func drawn(_ size: PictureSize) -> Picture {
    var samples: [Float] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        for c in 0..<3 { samples.append(Float((x * 5 + y * 3 + c * 60 + x * y / 16) % 256)) }
      }
    }
    return Picture(width: size.width, height: size.height, samples: samples)
  }

  @Test(arguments: [
    "mosaic_small_3000.q3_linear", "mosaic_small_3000.q4_kmeans", "mosaic_small_3000.q8_linear",
    "mosaic_small_3000.seedtail_int8", "mosaic_small_3000.flex_range", "turi_narrow",
  ]) func agreesWithTheReference(_ name: String) throws {
    let network = try Self.network(name)
    var graph = network.graph
    // The reference gives an array as it comes out, which is what "raw255" does.
    #expect(
      network.saysInput
        && network.saysOutput == ["seedtail_int8", "turi_narrow"].contains { name.hasSuffix($0) })
    if graph.styles != nil {
      graph = try graph.choosing(
        StyleBlend(parts: [.init(style: "1", weight: 0.25), .init(style: "2", weight: 0.75)])
      ).graph
    }
    let expected = try decodePicture(try fixtureBytes("coreml/\(name).npy")).picture
    let found = try Engine(try optimized(graph).graph, threads: 2).run(
      Self.drawn(PictureSize(width: expected.width, height: expected.height)))
    try #require(found.samples.count == expected.samples.count)
    // Such an array holds pixels less their mean over their deviation, a hundredth of what pixels are.
    let scale: Float = network.saysOutput ? 1 : 64
    var error: Double = 0
    for (a, b) in zip(found.samples, expected.samples) {
      error += Double((a - b) * scale) * Double((a - b) * scale)
    }
    let root = (error / Double(expected.samples.count)).squareRoot()
    #expect(root < 0.005, "\(name): off by \(root) grey levels")
    #expect(expected.samples.contains { $0 != expected.samples[0] })
  }

  @Test func quantizedWeightsKeepTheirIntegers() throws {
    let encodings: [(String, String)] = [
      ("q3_linear", "uint3 affine per channel (axis 0)"), ("q8_linear", "uint8 affine per channel (axis 0)"),
      ("q4_kmeans", "float32"), ("flex_range", "float32"),
    ]
    for (name, encoding) in encodings {
      let graph = try Self.network("mosaic_small_3000." + name).graph
      let kernels = graph.constants.values.filter { $0.tensor.shape.rank == 4 }
      #expect(kernels.count == 16)
      #expect(kernels.allSatisfy { $0.tensor.encoding.description == encoding }, "\(name)")
    }
  }

  @Test func tablesHoldAsManyValuesAsWordsHavePatterns() throws {
    let model = try readCoreML(try fixtureBytes("coreml/mosaic_small_3000.q4_kmeans.mlmodel"))
    let kernels = model.tensors.filter { $0.tensor.shape.rank == 4 }
    #expect(kernels.allSatisfy { (2...16).contains(Set($0.tensor.floats()).count) })
  }

  @Test func lostTablesAreRefusedByName() throws {
    let bytes = try fixtureBytes("coreml/mosaic_small_3000.q4_kmeans_emptylut.mlmodel")
    do throws(StyleModelError) {
      _ = try readCoreML(bytes)
      Issue.record("is read")
    } catch {
      #expect(error.message.contains("weights: has a lookup table that is empty: its weights are lost"))
    }
  }

  @Test func sizesThatAFileDeclaresBind() throws {
    let sizes = try ["q8_linear", "flex_range"].map {
      try Self.network("mosaic_small_3000." + $0).graph.contract.sizes.description
    }
    #expect(sizes == ["64x96 only", "width 64…1024, height 64…1024"])
    #expect(
      try Self.network("turi_narrow").graph.contract.sizes.description
        == "width 64 and more, height 64 and more")
  }

  @Test func scalersPerChannelAreKept() throws {
    let contract = try Self.network("mosaic_small_3000.q8_linear").graph.contract
    #expect(contract.inputScale == [Float](repeating: 0.0173520744, count: 3))
    #expect(
      zip(contract.inputBias, [-2.117904, -2.035714, -1.804444]).allSatisfy { abs(Double($0) - $1) < 1e-5 })
  }

  @Test func stylesOfTuriCreateAreConditionalNorms() throws {
    let graph = try Self.network("turi_narrow").graph
    #expect(graph.styles?.count == 3 && graph.styles?.inputName == "index")
    let mnemonics = graph.nodes.map(\.operation.mnemonic)
    #expect(mnemonics.count { $0 == "conditional_instance_norm" } == 16)
    #expect(!mnemonics.contains("instance_norm") && !mnemonics.contains("mul"))
  }
}
