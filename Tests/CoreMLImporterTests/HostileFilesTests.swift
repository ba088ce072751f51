import CoreMLImporter
import Diagnostics
import ModelGraph
import TestSupport
import Testing

/// The error of reading a file and the network in it, or nil if there was none.
private func refusal(_ bytes: [UInt8]) -> StyleModelError? {
  do throws(StyleModelError) {
    _ = try readCoreML(bytes).network.get()
    return nil
  } catch { return error }
}

/// Files made to harm, and files that broke on the way: a network or an error each, never a crash.
@Suite struct HostileFilesTests {
  @Test(arguments: Refusal.listed(in: "coreml")) func isRefusedWithItsMessage(_ expected: Refusal) throws {
    let error = refusal(try fixtureBytes("hostile/coreml/" + expected.file))
    #expect(error?.message == expected.message)
    #expect(error?.kind == .badInput)
  }

  @Test func everyFileHasAMessage() throws {
    #expect(try Refusal.unmatched(in: "coreml", suffix: ".mlmodel") == [])
    #expect(Refusal.listed(in: "coreml").count > 20)
  }

  @Test func cutShortAnywhereIsAnError() throws {
    let whole = try fixtureBytes("coreml/mosaic_small_3000.q3_linear.mlmodel")
    #expect(refusal(whole) == nil)
    for length in stride(from: 0, to: whole.count, by: whole.count / 150) {
      #expect(refusal(Array(whole[..<length]))?.kind == .badInput, "cut to \(length) bytes")
    }
  }

  @Test func flippedBytesDoNoHarm() throws {
    // Names and settings stand before and between the weights: layers from their names on are looked for.
    let whole = try fixtureBytes("coreml/mosaic_small_3000.q3_linear.mlmodel")
    var random = SeededRandom(seed: 5)
    var refused = 0
    for _ in 0..<150 {
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int.random(in: 0..<1200, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      if refusal(bytes) != nil { refused += 1 }
    }
    #expect(refused > 60)
  }
}
