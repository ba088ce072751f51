import Diagnostics
import ModelGraph
import Testing

@testable import StyleModelFile

/// Files that something went wrong with on the way: none is read, none crashes.
@Suite struct DamageTests {
  @Test func everyTruncationIsRefused() throws {
    let bytes = try encodeStyleModel(smallModel())
    for count in 0..<bytes.count {
      #expect(throws: StyleModelError.self, "\(count) bytes") { try decodeStyleModel(Array(bytes[..<count])) }
    }
  }

  @Test func everyBitCounts() throws {
    let bytes = try encodeStyleModel(smallModel())
    for index in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        #expect(throws: StyleModelError.self, "bit \(bit) of byte \(index)") { try decodeStyleModel(damaged) }
      }
    }
  }

  /// With checksums left aside the damage gets deep into the reader, which must refuse it or make sense of it.
  @Test func damageBehindTheChecksumsDoesNoHarm() throws {
    for model in [try smallModel(), try modelOfAllOperations()] {
      let bytes = try withRawHeader(encodeStyleModel(model))
      var read = 0
      let header = try FileLayout(bytes, checksums: .verify).headerRange
      for index in header {
        var damaged = bytes
        damaged[index] ^= [1, 0x80, 0xff][index % 3]
        if let model = try? decodeStyleModel(damaged, checksums: .ignore) {
          try model.graph.verify()
          read += 1
        }
      }
      #expect(read > 0)
    }
  }

  @Test(
    arguments: [
      ([], "is not a .stylemodel file"),
      (Array("PK\u{3}\u{4}".utf8), "is not a .stylemodel file"),
      ([0x89] + Array("STYLE\n".utf8), "something took it for text"),
      ([0xef, 0xbf, 0xbd] + Array("STYLE\r\n".utf8), "something took it for text"),
      ([0x09] + Array("STYLE\r\n".utf8), "something took it for text"),
      (Preamble.magic + [1, 0, 0], "ends within its first 28 bytes"),
    ] as [([UInt8], String)])
  func otherBeginningsAreNamed(bytes: [UInt8], message: String) {
    let error = #expect(throws: StyleModelError.self) { try decodeStyleModel(bytes) }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains(message) == true)
    #expect(isStyleModel(bytes) == bytes.starts(with: Preamble.magic))
  }
}
