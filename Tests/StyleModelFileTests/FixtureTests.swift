import Diagnostics
import Files
import Glibc
import ModelGraph
import TestSupport
import Testing

@testable import StyleModelFile

/// Files of version 1 that stay readable whatever becomes of the writer. They are also what the fuzzer starts from.
@Suite struct FixtureTests {
  static let models: [(name: String, make: @Sendable () throws -> StyleModel)] = [
    ("small", { try smallModel() }), ("operations", { try modelOfAllOperations() }),
    ("operations_raw_header", { try modelOfAllOperations() }), ("encodings", { try modelOfAllEncodings() }),
    ("coded", { try modelOfCodedWeights() }), ("palettes", { try modelOfPalettes() }),
  ]

  /// `STYLEMODEL_REWRITE_FIXTURES=1 swift test --filter FixtureTests` writes them; only a new version of the format is a reason.
  @Test(.enabled(if: getenv("STYLEMODEL_REWRITE_FIXTURES") != nil, "STYLEMODEL_REWRITE_FIXTURES is not set"))
  func record() throws {
    for (name, make) in Self.models {
      let bytes = try encodeStyleModel(make(), entropyCoding: name == "coded")
      let file = name.hasSuffix("raw_header") ? try withRawHeader(bytes) : bytes
      try replaceFile(fixturePath("stylemodel/\(name).stylemodel"), with: file)
    }
  }

  @Test(arguments: models.map(\.name)) func readsAsItWasMade(name: String) throws {
    let model = try #require(Self.models.first { $0.name == name }).make()
    let read = try decodeStyleModel(fixtureBytes("stylemodel/\(name).stylemodel"))
    #expect(operations(read.graph) == operations(model.graph))
    #expect(read.graph.constantsInOrder.map(\.constant) == model.graph.constantsInOrder.map(\.constant))
    #expect(read.graph.contract == model.graph.contract)
    #expect(read.provenance == model.provenance)
  }
}
