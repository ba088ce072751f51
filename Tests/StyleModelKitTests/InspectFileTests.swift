import Diagnostics
import TestSupport
import Testing

@testable import StyleModelKit

@Suite struct InspectFileTests {
  @Test func listsTheTensorsOfWhatNoRecipeKnows() throws {
    let path = fixturePath("torch/element_types.pth")
    let inspection = try inspectFile(path)
    #expect(inspection.tensors.count == 13)
    let tensors = Dictionary(uniqueKeysWithValues: inspection.tensors.map { ($0.name, $0) })
    #expect(tensors["half"]?.encoding == "float16" && tensors["half"]?.byteCount == 10)
    #expect(tensors["scalar"]?.shape == [])
    #expect(tensors["empty"]?.byteCount == 0)
    #expect(tensors["nonfinite"]?.nonFiniteCount == 3)
    guard case .failure(let error) = inspection.model else {
      Issue.record("it is no network")
      return
    }
    #expect(error.file == path)
  }

  @Test(arguments: ["mosaic_small_3000.pth", "torch/views.pth", "torch/legacy.pth.tar", "torch/deflated.pth"])
  func accountsForEveryByte(name: String) throws {
    let inspection = try inspectFile(fixturePath(name))
    #expect(inspection.byteCount == (try fixtureBytes(name).count))
    #expect(inspection.sizes.reduce(0) { $0 + $1.byteCount } == inspection.byteCount)
    #expect(inspection.sizes.allSatisfy { $0.byteCount > 0 })
  }

  @Test func looksIntoAStylemodel() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic)
    let (path, conversion) = try folder.convert(mosaic, to: "m.stylemodel")
    let inspection = try inspectFile(path)
    #expect(inspection.tensors.map(\.name) == conversion.graph.constantsInOrder.map(\.constant.name))
    #expect(inspection.tensors[0].encoding == "int8 per channel (axis 0)")
    #expect(inspection.sizes.reduce(0) { $0 + $1.byteCount } == conversion.bytes.count)
    #expect(try inspection.model.get().provenance?.sourceName == mosaic)
  }

  @Test(arguments: [
    "coffee_131x97.png", "hostile/page.html.pth", "hostile/model.mlmodel", "hostile/noise.bin",
  ])
  func refusesWhatIsNoModel(name: String) {
    let path = fixturePath(name)
    let error = failure { () throws(StyleModelError) in _ = try inspectFile(path) }
    #expect(error?.kind == .badInput && error?.file == path)
  }
}
