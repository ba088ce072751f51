import Diagnostics
import Evaluation
import Files
import Imaging
import ModelGraph
import Passes
import Runtime
import Tensors
import TestSupport
import Testing

@testable import ONNXImporter

/// Files that PyTorch's exporters wrote, against what ONNX Runtime makes of them.
@Suite struct ReadONNXTests {
  private static func read(_ name: String) throws -> ONNXModel {
    try readONNX(try fixtureBytes("onnx/\(name).onnx")) { name throws(StyleModelError) in
      try fixtureBytes("onnx/\(name)")
    }
  }

  private static func picture(_ size: PictureSize) throws -> Picture {
    let whole = try decodePicture(try fixtureBytes("chelsea_96x64.png")).picture
    var samples: [Float] = []
    for row in 0..<size.height {
      samples += whole.samples[row * whole.width * 3..<(row * whole.width + size.width) * 3]
    }
    return Picture(width: size.width, height: size.height, samples: samples)
  }

  /// The PSNR, in dB, of what our runtime makes of a file against a stored reference.
  private static func agreement(_ name: String, _ reference: String) throws -> Double {
    var graph = try read(name).network.get().graph
    graph.contract = PixelPreset.imagenet.contract
    let expected = try decodePicture(try fixtureBytes("onnx/\(reference).npy")).picture
    let found = try Engine(try optimized(graph).graph, threads: 2).run(
      try picture(PictureSize(width: expected.width, height: expected.height)))
    try #require(found.samples.count == expected.samples.count)
    return try compare(found, expected).psnr
  }

  @Test(arguments: [
    ("opset17", "opset17", 90.0), ("opset11", "opset11", 90), ("decomposed_opset9", "opset17", 90),
    ("dynamo_opset18", "opset17", 90), ("weights_uint8", "weights_uint8", 90),
    ("tiny_opset9", "tiny_opset9", 90),
    ("tiny_opset17", "tiny_opset17", 90), ("tiny_float16", "tiny_float16", 50), ("qdq_int8", "opset17", 25),
  ]) func agreesWithONNXRuntime(name: String, reference: String, least: Double) throws {
    let found = try Self.agreement(name, reference)
    #expect(found >= least, "\(name): \(found) dB")
  }

  @Test func allOfThemAreOneNetwork() throws {
    let names = ["opset17", "opset11", "dynamo_opset18"]
    let graphs = try names.map { try Self.read($0).network.get().graph }
    for graph in graphs {
      #expect(graph.nodes.map(\.operation.mnemonic) == graphs[0].nodes.map(\.operation.mnemonic))
    }
    let decomposed = try optimized(try Self.read("decomposed_opset9").network.get().graph).graph
    #expect(
      decomposed.nodes.map(\.operation.mnemonic)
        == (try optimized(graphs[0]).graph).nodes.map(\.operation.mnemonic))
  }

  @Test func quantizedWeightsKeepTheirIntegers() throws {
    let graph = try Self.read("weights_uint8").network.get().graph
    let kernels = graph.constants.values.filter { $0.tensor.shape.rank == 4 }
    #expect(kernels.count == 16)
    for kernel in kernels { #expect(kernel.tensor.encoding.description == "int8 per channel (axis 0)") }
  }

  @Test func sizesThatAFileWasTracedAtDoNotBind() throws {
    let graph = try Self.read("opset11").network.get().graph
    #expect(graph.contract.sizes == .any)
    #expect(try graph.shapes(for: PictureSize(width: 131, height: 97))[graph.output] == [1, 3, 100, 132])
  }

  @Test func saysWhatTheFileIs() throws {
    let file = try Self.read("opset17")
    #expect(file.container == "ONNX model, operator set 17, by pytorch 2.13.0")
    #expect(file.tensors.count == 62)
    #expect(file.tensors[0].name == "model.0.block.1.weight")
    #expect(try !file.network.get().saysPixels)
  }
}
