import Diagnostics
import SafetensorsImporter
import TestSupport
import Testing

/// The error of reading a file and the network that it may describe, or nil if there was none.
private func refusal(_ bytes: [UInt8]) -> StyleModelError? {
  do throws(StyleModelError) {
    _ = try readSafetensors(bytes).model()
    return nil
  } catch { return error }
}

@Suite struct HostileFilesTests {
  @Test(arguments: Refusal.listed(in: "safetensors")) func isRefusedWithItsMessage(_ expected: Refusal) throws
  {
    let error = refusal(try fixtureBytes("hostile/safetensors/" + expected.file))
    #expect(error?.message == expected.message)
    #expect(error?.kind == .badInput)
  }

  @Test func everyFileHasAMessage() throws {
    #expect(try Refusal.unmatched(in: "safetensors", suffix: ".safetensors") == [])
    #expect(Refusal.listed(in: "safetensors").count > 45)
  }

  @Test func aTextOfAGraphIsBounded() throws {
    let graph = String(repeating: " ", count: SafetensorsFormat.graphTextLimit + 1)
    let header = Array(#"{"__metadata__":{"stylemodel.graph":"\#(graph)"}}"#.utf8)
    let length = (0..<8).map { UInt8(header.count >> (8 * $0) & 0xFF) }
    #expect(
      refusal(length + header)?.message
        == "stylemodel.graph: is a text of 262.1 kB; up to 262.1 kB are read; the file is damaged or forged; download or save it again"
    )
  }

  @Test(arguments: ["all_types.safetensors"]) func refusesEveryTruncation(_ name: String) throws {
    let bytes = try fixtureBytes("safetensors/" + name)
    #expect(bytes.indices.filter { refusal(Array(bytes[..<$0])) == nil } == [])
    #expect(refusal(bytes) == nil)
  }

  /// Only the numbers and the texts of the metadata may change unnoticed.
  @Test func survivesEveryFlippedByte() throws {
    var bytes = try fixtureBytes("safetensors/all_types.safetensors")
    let headerLength = try readSafetensors(bytes).headerByteCount
    var refused = 0
    for index in 0..<headerLength {
      let original = bytes[index]
      for mask: UInt8 in [0x01, 0x04, 0x80, 0xFF] {
        bytes[index] = original ^ mask
        guard let error = refusal(bytes) else { continue }
        refused += 1
        #expect(error.kind == .badInput && !error.problem.isEmpty, "byte \(index)")
      }
      bytes[index] = original
    }
    #expect(refused > headerLength * 2)
  }
}
