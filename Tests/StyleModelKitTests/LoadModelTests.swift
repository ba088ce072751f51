import Diagnostics
import TestSupport
import Testing

@testable import StyleModelKit

/// Pictures with what PyTorch makes of them: one that the strides divide, and one of odd sides.
private let references = [
  ("chelsea_96x64.png", "reference/mosaic_small_3000-chelsea_96x64.npy"),
  ("coffee_131x97.png", "reference/mosaic_small_3000-coffee_131x97.npy"),
]

@Suite struct LoadModelTests {
  /// 100 dB are a root mean squared difference of 0.0026 steps of a pixel.
  @Test(arguments: references) func agreesWithPyTorch(input: String, output: String) throws {
    let expected = try picture(output)
    let model = try loadModel(fixturePath(mosaic))
    // As the file has it, and as it is best run.
    for engine in [try Engine(model.graph), try Engine(model: model)] {
      let result = try engine.run(try picture(input))
      #expect(try compare(expected, result).psnr >= 100)
      #expect(try greatestDifference(expected, result) < 0.05, "outside 0…255, where PSNR does not look")
    }
  }

  @Test(arguments: references) func agreesWithPyTorchOutOfOurOwnFile(input: String, output: String) throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    let (path, conversion) = try folder.convert(mosaic, to: "mosaic.stylemodel", "fp32")
    let result = try Engine(model: loadModel(path)).run(try picture(input))
    #expect(try compare(try picture(output), result).psnr >= 100)
    #expect(try Engine(conversion.graph).run(try picture(input)) == result)
  }

  /// What is decoded from the file gives the same bits as what was encoded.
  @Test(arguments: ["fp16", "int8", "int5-affine", "int3-per-tensor"])
  func aFileRunsAsWhatItWasMadeOf(scheme: String) throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    let (path, conversion) = try folder.convert(mosaic, to: "mosaic.stylemodel", scheme)
    let input = try picture("coffee_131x97.png")
    let decoded = try loadModel(path)
    #expect(try Engine(decoded.graph).run(input) == Engine(conversion.graph).run(input))
    #expect(decoded.graph.contract == conversion.graph.contract)
  }

  @Test func saysWhatItKnowsOfTheFile() throws {
    let model = try loadModel(fixturePath(mosaic))
    #expect(model.container == "PyTorch zip checkpoint")
    #expect(model.recipeName == "eriklindernoren")
    #expect(model.byteCount == 454_609)
    #expect(model.storage == "fp32")
    #expect(model.notes == [])
    #expect(model.provenance == nil && model.sizes == nil && model.sizeLines == [])
  }

  @Test(arguments: [
    ("chelsea_96x64.png", StyleModelError.Kind.badInput, "is a PNG image, not a model"),
    ("hostile/empty.pth", .badInput, "is an empty file"),
    ("hostile/truncated.pth", .badInput, "is a truncated zip"),
    ("recipes", .cannotOpen, "is a folder, not a file"),
    ("none.pth", .cannotOpen, "cannot be opened (No such file or directory); check the name"),
    ("torch/views.pth", .badInput, "belongs to no known family"),
  ])
  func namesTheFileThatIsNoModel(name: String, kind: StyleModelError.Kind, message: String) throws {
    let path = fixturePath(name)
    let error = try #require(failure { () throws(StyleModelError) in _ = try loadModel(path) })
    #expect(error.kind == kind)
    #expect(error.message.hasPrefix(path + ": "))
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test func theUsersWordOnPixelsCountsAndIsNoted() throws {
    var contract = ContractOverride()
    contract.preset = .unit
    contract.outputBias = [1, 2, 3]
    let model = try loadModel(fixturePath(mosaic), options: ImportOptions(contract: contract))
    #expect(model.graph.contract.outputScale == [255, 255, 255])
    #expect(model.graph.contract.outputBias == [1, 2, 3])
    #expect(model.graph.contract.rounding == .halfUp, "which the family knows")
    #expect(model.notes.count == 1)
    contract.outputBias = [.infinity, 0, 0]
    let path = fixturePath(mosaic)
    let error = failure { () throws(StyleModelError) in
      _ = try loadModel(path, options: ImportOptions(contract: contract))
    }
    #expect(error?.message.contains("the pixel contract is not finite") == true)
  }
}

private func greatestDifference(_ a: Picture, _ b: Picture) throws -> Float {
  try #require(a.width == b.width && a.height == b.height)
  return zip(a.samples, b.samples).reduce(0) { max($0, abs($1.0 - $1.1)) }
}
