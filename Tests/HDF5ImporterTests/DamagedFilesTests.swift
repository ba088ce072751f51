import Diagnostics
import Glibc
import Recipes
import TestSupport
import Testing

@testable import HDF5Importer

/// Files that are damaged, or ask for what they must not get, give a model or one clear error each.
@Suite struct DamagedFilesTests {
  private static let refusals = Refusal.listed(in: "hdf5")

  @Test(arguments: refusals) func isRefusedWithItsMessage(_ expected: Refusal) throws {
    let error = refusal(try fixtureBytes("hostile/hdf5/" + expected.file))
    #expect(error?.message == expected.message)
    #expect(error?.kind == .badInput)
  }

  @Test func everyHostileFileHasAMessage() throws {
    #expect(try Refusal.unmatched(in: "hdf5", suffix: ".h5") == [])
    #expect(Self.refusals.count > 8)
  }

  @Test(arguments: ["hdf5/nested.h5", "hdf5/layers_keras2.h5", "hdf5/layers_keras3.keras"])
  func refusesFilesCutShort(file: String) throws {
    let bytes = try fixtureBytes(file)
    for percent in 0..<100 {
      let error = refusal(Array(bytes[..<(bytes.count * percent / 100)]))
      let isClear = error?.kind == .badInput && error?.problem.isEmpty == false
      #expect(isClear, "\(percent) %: \(error?.message ?? "was read")")
    }
    #expect(refusal(bytes) == nil)
  }

  /// `STYLEMODEL_BYTE_FLIPS=10000 swift test --filter HDF5ImporterTests.DamagedFilesTests` takes minutes and flips as many.
  @Test(arguments: [("hdf5/nested.h5", 1), ("hdf5/layers_keras2.h5", 2), ("hdf5/keras1_weights.h5", 3)])
  func survivesFlippedBytes(file: String, seed: UInt64) throws {
    var bytes = try fixtureBytes(file)
    var random = SeededRandom(seed: seed)
    var refused = 0
    for _ in 0..<(getenv("STYLEMODEL_BYTE_FLIPS").flatMap { Int(String(cString: $0)) } ?? 100) {
      let index = Int.random(in: bytes.indices, using: &random)
      let original = bytes[index]
      bytes[index] ^= UInt8.random(in: 1...255, using: &random)
      if let error = refusal(bytes) {
        refused += 1
        let isClear = error.kind == .badInput && !error.problem.isEmpty
        #expect(isClear, "byte \(index): \(error.message)")
      }
      bytes[index] = original
    }
    #expect(refused > 0)
  }

  @Test func readsNoObjectTwice() throws {
    let model = try readHDF5(try fixtureBytes("hdf5/cycle.h5"))
    #expect(model.weights.entries.map(\.name) == ["a.b.same"])
    #expect(
      model.weights.notes == [
        "3 objects passed over: '/a/b/again' (it is a second link to the same object), …"
      ])
  }

  @Test func followsNoSoftLink() throws {
    let model = try readHDF5(try fixtureBytes("hdf5/soft_links.h5"))
    #expect(model.weights.entries.map(\.name) == ["weight"])
    #expect(model.weights.notes == ["2 objects passed over: '/alias' (it is a soft link), …"])
  }

  private func refusal(_ bytes: [UInt8]) -> StyleModelError? {
    do throws(StyleModelError) {
      _ = try readHDF5(bytes)
      return nil
    } catch { return error }
  }
}
