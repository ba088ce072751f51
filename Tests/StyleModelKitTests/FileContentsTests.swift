import StyleModelKit
import TestSupport
import Testing

/// The same weights in every container that they come in.
@Suite struct FileContentsTests {
  @Test(arguments: [
    "safetensors/mosaic_small_3000.safetensors", "numpy/mosaic_small_3000.npz",
    "torch/mosaic_small_3000.torchscript.pt",
  ])
  func everyContainerGivesTheSameNetwork(_ name: String) throws {
    let expected = try loadModel(fixturePath("mosaic_small_3000.pth"))
    let model = try loadModel(fixturePath(name))
    #expect(model.graph == expected.graph)
    #expect(model.recipeName == "eriklindernoren")
    #expect(model.byteCount == (try fixtureBytes(name)).count)
    #expect(model.provenance == nil)
  }

  @Test(arguments: [
    "safetensors/all_types.safetensors", "numpy/arrays.npz", "numpy/arrays_without_suffix.npz",
    "numpy/arrays",
    "numpy/arrays/",
  ])
  func tensorsThatNoRecipeKnowsAreListed(_ name: String) throws {
    let inspection = try inspectFile(fixturePath(name))
    #expect(inspection.tensors.count == (name.hasPrefix("numpy") ? 14 : 13))
    #expect(inspection.sizes.reduce(0) { $0 + $1.byteCount } == inspection.byteCount)
    guard case .failure(let error) = inspection.model else {
      Issue.record("is no network")
      return
    }
    #expect(error.problem == "belongs to no known family of style networks")
    #expect(error.file == fixturePath(name))
  }

  @Test func aFolderWithoutArraysIsNoModel() {
    let error = #expect(throws: StyleModelError.self) { try loadModel(fixturePath("recipes")) }
    #expect(error?.file == fixturePath("recipes"))
    #expect(error?.kind == .cannotOpen)
    #expect(error?.problem == "is a folder, not a file")
  }
}
