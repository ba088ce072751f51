import Diagnostics
import Testing

@testable import MLProgramExporter
@testable import MLProgramImporter

@Suite struct WeightFileTests {
  private func file() -> [UInt8] {
    var writer = WeightFileWriter()
    _ = writer.add([1, 2, 3, 4], code: 4, bits: 32)
    _ = writer.add([0xAB, 0xC0], code: 11, bits: 12)
    return writer.bytes
  }

  @Test func tensorsAreFoundByTheirMetadata() throws {
    let file = try WeightFile(file())
    #expect(try file.numbers(at: 64, type: .int8, count: 4) == [1, 2, 3, 4])
    #expect(try file.numbers(at: 192, type: .uint4, count: 3) == [0xAB, 0xC0])
  }

  @Test(
    arguments: [
      (0, 1), (32, 1), (65, 1), (128, 1), (320, 1), (384, 1), (UInt64.max, 1), (1 << 63, 1), (64, 3), (64, 5),
      (64, Int.max), (192, 4),
    ] as [(UInt64, Int)]) func otherPlacesAndCountsAreRefused(offset: UInt64, count: Int) throws
  {
    let file = try WeightFile(file())
    let error = #expect(throws: StyleModelError.self) {
      try file.numbers(at: offset, type: offset == 192 ? .int8 : .int8, count: count)
    }
    #expect(error?.place == "byte \(offset)")
  }

  /// Each is the first tensor's metadata with one field lied about.
  @Test(
    arguments: [
      (0, [1, 0, 0, 0], "holds no tensor's metadata"),
      (4, [3, 0, 0, 0], "holds numbers of type 3, where the model says int8"),
      (8, [5, 0, 0, 0, 0, 0, 0, 0], "holds 5 bytes, which do not fit 4 numbers of int8"),
      (16, [0, 0, 0, 0, 0, 0, 0, 0], "has its numbers at byte 0, beyond the end of the file"),
      (
        16, [255, 255, 255, 255, 255, 255, 255, 255],
        "has its numbers at byte 18446744073709551615, beyond the end of the file"
      ),
      (16, [125, 1, 0, 0, 0, 0, 0, 0], "has its numbers at byte 381, beyond the end of the file"),
    ] as [(Int, [UInt8], String)]) func liesAreRefused(place: Int, lie: [UInt8], problem: String) throws
  {
    var bytes = file()
    bytes.replaceSubrange(64 + place..<64 + place + lie.count, with: lie)
    let error = #expect(throws: StyleModelError.self) {
      try WeightFile(bytes).numbers(at: 64, type: .int8, count: 4)
    }
    #expect(error?.problem == problem)
  }

  @Test func whatIsNoWeightFileIsRefused() {
    #expect(throws: StyleModelError.self) { try WeightFile([]) }
    #expect(throws: StyleModelError.self) { try WeightFile([UInt8](repeating: 0, count: 63)) }
    let error = #expect(throws: StyleModelError.self) { try WeightFile([UInt8](repeating: 1, count: 64)) }
    #expect(error?.problem == "is a file of weights of version 16843009; version 2 is read")
  }
}
