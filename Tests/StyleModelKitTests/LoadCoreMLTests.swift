import TestSupport
import Testing

@testable import StyleModelKit

/// Core ML neural networks as models: what they say of their pixels, and what the user fills in.
@Suite struct LoadCoreMLTests {
  private let gap = fixturePath("coreml/mosaic_small_3000.q8_linear.mlmodel")
  private let whole = fixturePath("coreml/mosaic_small_3000.seedtail_int8.mlmodel")

  private func options(_ preset: PixelPreset) -> ImportOptions {
    var contract = ContractOverride()
    contract.preset = preset
    return ImportOptions(contract: contract)
  }

  @Test func pictureToPictureNeedsNoWord() throws {
    let model = try loadModel(whole)
    #expect(!model.pixelsAreUnknown)
    #expect(model.graph.contract.sizes == .listed([PictureSize(width: 64, height: 96)]))
    #expect(model.graph.contract.outputScale == [1, 1, 1] && model.graph.contract.outputBias == [0, 0, 0])
    // The three layers that bring each channel back to pixels.
    let last = try #require(model.graph.nodes.last { $0.result == model.graph.output })
    #expect(last.operation.mnemonic == "batch_norm")
  }

  /// A model of our own says what it was made from, so that it is evaluated as a `.stylemodel` is; its sizes may be fewer
  /// than the source's.
  @Test func ourOwnModelsSayWhereTheyComeFrom() throws {
    let folder = try TemporaryFolder()
    let source = try loadModel(try folder.copy(fixture: mosaic))
    let sizes = PixelContract.Sizes.listed([PictureSize(width: 96, height: 64)])
    let made = try convert(source, format: .mlModel, sizes: sizes)
    let model = try loadModel(try folder.write(made.bytes, as: "m.mlmodel"))
    #expect(model.provenance?.sourceSHA256 == source.sha256)
    #expect(model.graph.contract.rounding == source.graph.contract.rounding)
    #expect(model.graph.contract.sizes == sizes && source.graph.contract.sizes == .any)
    for reference in [EvaluationReference.fp32, .model(source.path)] {
      var options = EvaluationOptions(reference: reference)
      options.imagesFolder = folder.makeFolder("pictures")
      try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/chelsea.png")
      let report = try evaluate(model, options: options)
      let quality = try #require(report.pictures.first?.figures?.quality)
      #expect(quality.psnr > 40)
    }
  }

  @Test func anArrayThatComesOutLeavesAGap() throws {
    do {
      _ = try loadModel(gap)
      Issue.record("it was taken")
    } catch {
      #expect(error.kind == .badInput && error.file == gap)
      #expect(error.problem.contains("does not say which it gives"))
      #expect(error.remedy?.contains("imagenet is likely") == true)
    }
  }

  @Test func theUsersWordFillsTheGapAlone() throws {
    let contract = try loadModel(gap, options: options(.imagenet)).graph.contract
    let own = try inspectFile(gap).model.get().graph.contract
    #expect(contract.inputScale == own.inputScale && contract.inputBias == own.inputBias)
    #expect(contract.inputScale != PixelPreset.imagenet.contract.inputScale)
    #expect(contract.outputScale == PixelPreset.imagenet.contract.outputScale)
    #expect(contract.outputBias == PixelPreset.imagenet.contract.outputBias)
    #expect(contract.sizes == own.sizes)
  }

  @Test func inspectionTellsWhatGoesInAndOut() throws {
    let inspection = try inspectFile(whole)
    #expect(inspection.container == "Core ML neural network, specification 4, 70 layers")
    let details = Dictionary(uniqueKeysWithValues: inspection.details.map { ($0.name, $0.text) })
    #expect(details["in"] == "'input' (RGB picture, 64x96 only)")
    #expect(details["out"] == "'squeeze_out' (RGB picture, 64x96 only)")
    #expect(details["layers"]?.hasPrefix("16 convolution, 16 padding, 15 batchnorm") == true)
    #expect(inspection.tensors.count == 62)
    #expect(inspection.sizes.reduce(0) { $0 + $1.byteCount } == inspection.byteCount)
  }

  @Test func aStyleIsChosenOnTheWay() throws {
    let path = fixturePath("coreml/turi_narrow.mlmodel")
    #expect(try loadModel(path).graph.styles?.count == 3)
    var options = ImportOptions()
    options.style = StyleBlend(style: 2)
    let chosen = try loadModel(path, options: options).graph
    #expect(chosen.styles == nil)
    #expect(chosen.nodes.count { $0.operation.mnemonic == "instance_norm" } == 16)
  }
}
