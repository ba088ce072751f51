import Diagnostics
import Files
import NumPyImporter
import PyTorchImporter
import Recipes
import Tensors
import TestSupport
import Testing

/// Files that NumPy wrote.
@Suite struct NumPyWeightsTests {
  @Test func readsWhatNumPyWroteOfACheckpoint() throws {
    let dict = try readNumPyArchive(try fixtureBytes("numpy/mosaic_small_3000.npz"))
    let checkpoint = try readPyTorchCheckpoint(try fixtureBytes("mosaic_small_3000.pth"))
    #expect(dict.entries.map(\.name) == checkpoint.entries.map(\.name))
    for (entry, expected) in zip(dict.entries, checkpoint.entries) {
      #expect(entry.tensor == expected.tensor, "\(entry.name)")
    }
  }

  /// The arrays of a folder, read by their names' order.
  private static func folder() throws -> StateDict {
    let names = try listFolder(fixturePath("numpy/arrays"))
    return try readNumPyFiles(try names.map { ($0, try fixtureBytes("numpy/arrays/" + $0)) })
  }

  static let sources: [(name: String, read: @Sendable () throws -> StateDict)] = [
    ("deflated archive", { try readNumPyArchive(try fixtureBytes("numpy/arrays.npz")) }),
    (
      "stored archive, names without .npy",
      { try readNumPyArchive(try fixtureBytes("numpy/arrays_without_suffix.npz")) }
    ),
    ("folder", { try folder() }),
  ]

  @Test(arguments: sources) func bringsEveryArrayIntoCOrder(
    _ source: (name: String, read: @Sendable () throws -> StateDict)
  ) throws {
    let dict = try source.read()
    let tensors = Dictionary(uniqueKeysWithValues: dict.entries.map { ($0.name, $0.tensor) })
    let types: [(name: String, type: ElementType)] = [
      ("f4", .float32), ("f4_fortran", .float32), ("f4_big_endian", .float32),
      ("f8_big_endian_fortran", .float64),
      ("f8", .float64), ("f2", .float16), ("i8", .int64), ("i4", .int32), ("i2_big_endian", .int16),
      ("i1", .int8),
      ("u1", .uint8),
    ]
    for (name, type) in types {
      let tensor = try #require(tensors[name], "\(name)")
      #expect(tensor.encoding == .plain(type) && tensor.shape == [2, 3, 4], "\(name)")
      #expect(tensor.floats() == (0..<24).map(Float.init), "\(name)")
    }
    #expect(tensors["b1"]?.encoding == .plain(.bool))
    #expect(tensors["b1"]?.floats() == [1, 0, 1])
    #expect(tensors["scalar"] == StoredTensor(shape: [], floats: [2.5]))
    #expect(tensors["empty"] == StoredTensor(shape: [0, 4], floats: []))
    #expect(tensors.count == types.count + 3)
    #expect(dict.notes == ["2 tensors of doubles will be rounded to floats"])
  }

  @Test(arguments: Refusal.listed(in: "numpy")) func isRefusedWithItsMessage(_ expected: Refusal) throws {
    let bytes = try fixtureBytes("hostile/numpy/" + expected.file)
    let error = #expect(throws: StyleModelError.self) { _ = try readNumPyArchive(bytes) }
    #expect(error?.message == expected.message)
    #expect(error?.kind == .badInput)
  }

  @Test func everyHostileFileHasAMessage() throws {
    #expect(try Refusal.unmatched(in: "numpy", suffix: ".npz") == [])
    #expect(Refusal.listed(in: "numpy").count > 15)
  }

  @Test(arguments: ["numpy/arrays.npz", "numpy/arrays_without_suffix.npz"])
  func refusesEveryTruncation(_ name: String) throws {
    let bytes = try fixtureBytes(name)
    let accepted = bytes.indices.filter { (try? readNumPyArchive(Array(bytes[..<$0]))) != nil }
    #expect(accepted == [])
  }

  /// The checksums of a zip stop changes of its members; a bare array meets all of them.
  @Test(arguments: ["f4_fortran", "f8_big_endian_fortran", "scalar", "empty"])
  func survivesEveryFlippedByteOfAnArray(_ name: String) throws {
    var bytes = try fixtureBytes("numpy/arrays/\(name).npy")
    var refused = 0
    for index in bytes.indices {
      let original = bytes[index]
      for mask: UInt8 in [0x01, 0x02, 0x80, 0xFF] {
        bytes[index] = original ^ mask
        do throws(StyleModelError) { _ = try readNumPyFiles([("w.npy", bytes)]) } catch {
          refused += 1
          #expect(error.kind == .badInput && !error.problem.isEmpty, "byte \(index)")
        }
      }
      bytes[index] = original
    }
    #expect(refused > 200)
    for length in bytes.indices {
      #expect(throws: StyleModelError.self) { _ = try readNumPyFiles([("w.npy", Array(bytes[..<length]))]) }
    }
  }
}
