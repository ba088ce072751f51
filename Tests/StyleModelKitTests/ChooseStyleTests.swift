import Diagnostics
import Imaging
import ModelGraph
import Runtime
import StyleModelFile
import Tensors
import TestSupport
import Testing

@testable import StyleModelKit

/// A network of three styles as a file: one chosen, blended, kept, run and evaluated.
@Suite struct ChooseStyleTests {
  private func threeStyles(in folder: TemporaryFolder) throws -> String {
    var random = SeededRandom(seed: 31)
    var graph = Graph(contract: PixelPreset.unit.contract)
    graph.styles = StyleSet(inputName: "index", count: 3, names: ["wave", "scream", "night"])
    let weight = graph.addConstant("w", random.tensor([3, 3, 3, 3], in: -1...1))
    let gamma = graph.addConstant("gamma", random.tensor([3, 3], in: 0.1...0.3))
    let beta = graph.addConstant("beta", random.tensor([3, 3], in: 0.2...0.8))
    graph.append(
      .convolution(
        Convolution(input: graph.input.value, weight: weight, padding: Insets(all: 1), paddingMode: .reflect))
    )
    graph.append(
      .conditionalInstanceNorm(ConditionalInstanceNorm(input: graph.output, gamma: gamma, beta: beta)))
    let provenance = Provenance(
      sourceName: "none", sourceByteCount: 0, sourceSHA256: [UInt8](repeating: 0, count: 32), options: [],
      tool: "test")
    return try folder.write(
      encodeStyleModel(StyleModel(graph: graph, provenance: provenance)), as: "three.stylemodel")
  }

  private let input = Picture(
    width: 6, height: 5, samples: (0..<90).map { Float($0 * 37 % 256) })

  @Test func aChoiceIsNeeded() throws {
    let folder = try TemporaryFolder()
    let model = try loadModel(threeStyles(in: folder))
    let error = failure { () throws(StyleModelError) in _ = try Engine(model: model) }
    #expect(error?.kind == .usage)
    #expect(error?.file == model.path)
    #expect(error?.message.contains("has 3 styles") == true)
    #expect(
      failure { () throws(StyleModelError) in
        _ = try evaluate(model, options: StyleModelKit.EvaluationOptions())
      }?.message.contains("has 3 styles") == true)
  }

  @Test func stylesDifferAndHalvesMix() throws {
    let folder = try TemporaryFolder()
    let model = try loadModel(threeStyles(in: folder))
    let outputs = try model.ofEachStyle().map { try Engine(model: $0).run(input).samples }
    #expect(outputs.count == 3)
    #expect(outputs[0] != outputs[1] && outputs[1] != outputs[2])
    // Gamma and beta enter linearly, so half of each style is the mean of both pictures.
    let blend = try #require(StyleBlend("wave:0.5,2:0.5"))
    let mixed = try Engine(model: model.choosing(blend)).run(input).samples
    let mean = zip(outputs[0], outputs[2]).map { ($0 + $1) / 2 }
    #expect(zip(mixed, mean).allSatisfy { abs($0 - $1) < 1e-2 })
    #expect(try model.choosing(blend).reportName == "three.stylemodel, blend 0:0.5,2:0.5")
  }

  /// A chosen style is recorded, so that evaluation finds the same style of the source; a table that stays asks again.
  @Test func conversionsRememberTheirStyle() throws {
    let folder = try TemporaryFolder()
    let path = try threeStyles(in: folder)
    let options = ImportOptions(style: StyleBlend(style: "scream"))
    let chosen = try convert(loadModel(path, options: options), quantization: .fp32, importOptions: options)
    #expect(chosen.graph.styles == nil)
    let chosenPath = try folder.write(chosen.bytes, as: "chosen.stylemodel")
    #expect(try loadModel(chosenPath).provenance?.options == ["--fp32", "--style", "1"])
    let kept = try convert(loadModel(path), quantization: .int8)
    let keptPath = try folder.write(kept.bytes, as: "kept.stylemodel")
    #expect(try loadModel(keptPath).graph.styles?.names == ["wave", "scream", "night"])
    #expect(kept.bytes.count > chosen.bytes.count || kept.graph.styles != nil)

    let images = folder.makeFolder("images")
    try folder.write(encodeNPY(input), as: "images/in.npy")
    let evaluation = StyleModelKit.EvaluationOptions(imagesFolder: images)
    let same = try evaluate(loadModel(chosenPath), options: evaluation)
    #expect(same.worstPSNR?.quality.psnr ?? 0 > 100)
    let one = try evaluate(
      loadModel(keptPath, checkpointOptions: ImportOptions(style: StyleBlend(style: 2))), options: evaluation)
    #expect(one.worstPSNR?.quality.psnr ?? 0 > 40)
    #expect(one.candidate.name == "kept.stylemodel, style 2")
    #expect(one.reference.name == "three.stylemodel, style 2")
  }
}

/// A picture as `.npy`.
private func encodeNPY(_ picture: Picture) -> [UInt8] {
  let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(picture.height), \(picture.width), 3), }"
  let padded = header + String(repeating: " ", count: 128 - 11 - header.utf8.count) + "\n"
  return [0x93] + Array("NUMPY".utf8) + [1, 0, 118, 0] + Array(padded.utf8)
    + picture.samples.withUnsafeBytes { Array($0) }
}
