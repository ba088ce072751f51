import Archives
import Diagnostics
import Recipes
import Testing

@testable import PyTorchImporter

@Suite struct TorchScriptTests {
  /// `torch.jit.save` of the very network that the checkpoint holds.
  @Test func readsTheWeightsThatTheCheckpointHas() throws {
    let archive = try readPyTorchCheckpoint(try fixture("torch/mosaic_small_3000.torchscript.pt"))
    let checkpoint = try readPyTorchCheckpoint(try fixture("mosaic_small_3000.pth"))
    #expect(archive.container == "TorchScript archive")
    #expect(archive.entries.map(\.name) == checkpoint.entries.map(\.name))
    for (entry, expected) in zip(archive.entries, checkpoint.entries) {
      #expect(entry.tensor == expected.tensor, "\(entry.name)")
    }
    #expect(archive.notes == [])
  }

  @Test func aStateKeyNamesAModuleInIt() throws {
    let bytes = try fixture("torch/mosaic_small_3000.torchscript.pt")
    let dict = try readPyTorchCheckpoint(bytes, options: PyTorchOptions(stateKey: "model.3"))
    #expect(dict.entries.first?.name == "block.0.block.1.weight")
    #expect(dict.entries.count == 8)
  }

  /// The pickle alone, with bytes of it damaged: a state dict or an error.
  @Test func survivesFlippedBytesOfThePickle() throws {
    let archive = try ZipArchive(try fixture("torch/mosaic_small_3000.torchscript.pt"))
    let entry = try #require(archive.entries.first { $0.name.hasSuffix("/data.pkl") })
    let pickle = Array(try archive.read(entry))
    let masks: [UInt8] = [0x01, 0x08, 0x80, 0xFF]
    for (round, index) in stride(from: 0, to: pickle.count, by: 29).enumerated() {
      var bytes = pickle
      bytes[index] ^= masks[round % masks.count]
      do throws(StyleModelError) {
        let document = try PickleMachine.read(bytes[...], place: "data.pkl")
        for candidate in WeightSearch(document.root, in: document).candidates {
          var effort = Effort()
          _ = try TorchScriptModule(candidate.value, in: document, effort: &effort)
        }
      } catch {
        if error.kind != .badInput { Issue.record("byte \(index): \(error.message)") }
      }
    }
  }
}
