import Diagnostics
import Tensors
import Testing

@testable import PyTorchImporter

/// A sound checkpoint, damaged in every way there is, gives a state dict or an error.
@Suite struct DamagedFilesTests {
  private static let files = ["state_dict.pth", "legacy.pth.tar"]
  private static let masks: [UInt8] = [0x01, 0x80, 0xFF]

  @Test(arguments: files) func refusesEveryTruncation(file: String) throws {
    let bytes = try fixture("torch/" + file)
    let accepted = bytes.indices.filter { refusal(Array(bytes[..<$0])) == nil }
    #expect(accepted == [])
    #expect(refusal(bytes) == nil)
  }

  @Test(arguments: files + ["zip64.pth"]) func survivesEveryFlippedByte(file: String) throws {
    var bytes = try fixture("torch/" + file)
    var refused = 0
    for index in bytes.indices {
      let original = bytes[index]
      bytes[index] ^= Self.masks[index % Self.masks.count]
      if let error = refusal(bytes) {
        refused += 1
        if error.kind != .badInput || error.problem.isEmpty {
          Issue.record("byte \(index): \(error.message)")
        }
      }
      bytes[index] = original
    }
    // What is left are times of day, padding and, in the legacy stream, the numbers themselves.
    #expect(refused > bytes.count / 4)
  }

  /// A zip's checksums stop most changes; the bare pickle meets all of them.
  @Test(arguments: ["whole_module.data.pkl", "training_state.data.pkl", "views.data.pkl"])
  func survivesEveryFlippedByteOfThePickle(file: String) throws {
    var bytes = try fixture("torch/" + file)
    for index in bytes.indices {
      let original = bytes[index]
      bytes[index] ^= Self.masks[index % Self.masks.count]
      do {
        let document = try PickleMachine.read(bytes[...], place: "data.pkl")
        for candidate in WeightSearch(document.root, in: document).candidates {
          let reader = StateDictReader(document: document, source: ZeroStorages(), fileSize: 1 << 16)
          _ = try reader.stateDict(candidate.value, container: "test")
        }
      } catch {
        if error.kind != .badInput { Issue.record("byte \(index): \(error.message)") }
      }
      bytes[index] = original
    }
  }
}

/// Gives every storage the size that it states, up to a megabyte.
private struct ZeroStorages: StorageSource {
  func bytes(of storage: StorageReference) throws(StyleModelError) -> ArraySlice<UInt8> {
    guard let count = storage.byteCount, count <= 1 << 20 else {
      throw StyleModelError(.badInput, "is too large")
    }
    return [UInt8](repeating: 0, count: count)[...]
  }

  func isBigEndian(_ bytes: ArraySlice<UInt8>, of type: ElementType) -> Bool { false }
}
