import Diagnostics
import Tensors
import Testing

@testable import ModelGraph

@Suite struct ResizeTests {
  @Test(arguments: [
    (Resize.Placement.start, 352, 1080, 540, 176.0), (.start, 4, 8, 1, 0.5), (.corners, 4, 7, 6, 3),
    (.corners, 4, 7, 1, 0.5), (.corners, 9, 1, 0, 0), (.centers, 4, 8, 0, 0), (.centers, 4, 8, 1, 0.25),
    (.centers, 4, 8, 7, 3), (.start, 4, 40, 39, 3),
  ]) func pixelsLieWhereTheyShould(
    placement: Resize.Placement, extent: Int, count: Int, index: Int, expected: Double
  ) {
    #expect(placement.position(index, of: count, on: extent) == expected)
  }

  @Test func theResultHasTheSizeThatIsSaid() throws {
    let resize = Resize(input: ValueID(0), size: Pair(300, 200), placement: .start)
    #expect(try resize.resultShape { _ in [1, 5, 17, 4] } == [1, 5, 300, 200])
  }

  @Test(arguments: [
    "resize(%x, placement: start)", "resize(%x, size: [0, 4], placement: start)",
    "resize(%x, size: [4, 70000], placement: start)", "resize(%x, size: [4, 4], placement: middle)",
    "resize(%x, size: [4, 4])",
  ]) func unsoundCallsAreRefused(call: String) {
    #expect(throws: StyleModelError.self) {
      try Graph(text: "graph {\n pixels(unit)\n input %x \"x\"\n %y = \(call)\n output %y\n}", constants: [:])
    }
  }

  @Test func aFixedSizeIsNeverCutToThePicture() throws {
    var graph = Graph(contract: PixelPreset.unit.contract)
    graph.append(.resize(Resize(input: graph.output, size: Pair(102, 101), placement: .start)))
    let computed = PictureSize(width: 101, height: 102)
    #expect(graph.trimmedSize(computed, for: PictureSize(width: 100, height: 100)) == computed)
  }
}
