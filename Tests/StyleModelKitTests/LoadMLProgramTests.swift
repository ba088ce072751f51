import Imaging
import StyleModelKit
import TestSupport
import Testing

/// Packages that coremltools wrote from one checkpoint, each against that checkpoint.
@Suite struct LoadMLProgramTests {
  private func options(_ preset: PixelPreset?) -> ImportOptions {
    var contract = ContractOverride()
    contract.preset = preset
    return ImportOptions(contract: contract)
  }

  /// The picture, tall as the packages want it.
  private func photo() throws -> Picture {
    try readPicture(fixturePath("astronaut_256x256.png")).picture.resized(width: 64, height: 96)
  }

  // The package with pictures at both ends has one deviation for all three channels, as its maker asked.
  @Test(arguments: [
    ("small_int8_sym_pc", "int8 per channel (axis 0)", 40), ("small_pal6_kmeans", "float16", 30),
    ("small_ios18_int8_sym_pc", "int8 per channel (axis 0)", 40), ("small_ios18_pal4_group4", "float16", 18),
    ("small_sparse50", "float16", 12), ("small_image_fp16", "float16", 48),
  ]) func looksLikeItsCheckpoint(_ name: String, _ encoding: String, _ least: Double) throws {
    let isImage = name.contains("image")
    let model = try loadModel(
      fixturePath("mlpackage/\(name).mlpackage"), options: options(isImage ? nil : .imagenet))
    #expect(model.graph.contract.sizes == .listed([PictureSize(width: 64, height: 96)]))
    let weights = model.graph.constants.values.map(\.tensor).filter { $0.shape.rank == 4 }
    #expect(weights.count == 16)
    #expect(weights.allSatisfy { $0.encoding.description == encoding })
    let photo = try photo()
    let expected = try Engine(model: try loadModel(fixturePath("mosaic_small_3000.pth"))).run(photo)
    let quality = try compare(expected, try Engine(model: model).run(photo))
    #expect(quality.psnr >= least)
  }
}
