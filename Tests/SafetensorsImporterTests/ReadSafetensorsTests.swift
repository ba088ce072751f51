import Diagnostics
import PyTorchImporter
import Recipes
import SafetensorsImporter
import Tensors
import TestSupport
import Testing

/// Files that the reference implementation wrote.
@Suite struct ReadSafetensorsTests {
  @Test func readsWhatTheReferenceWroteOfACheckpoint() throws {
    let file = try readSafetensors(try fixtureBytes("safetensors/mosaic_small_3000.safetensors"))
    let checkpoint = try readPyTorchCheckpoint(try fixtureBytes("mosaic_small_3000.pth"))
    #expect(file.tensors.entries.map(\.name) == checkpoint.entries.map(\.name))
    for (entry, expected) in zip(file.tensors.entries, checkpoint.entries) {
      #expect(entry.tensor == expected.tensor, "\(entry.name)")
    }
    #expect(try file.model() == nil)
    #expect(file.tensors.storageByteCount == 435_084)
    #expect(file.headerByteCount + 435_084 == 441_132)
  }

  @Test func readsEveryTypeOfAStateDict() throws {
    let file = try readSafetensors(try fixtureBytes("safetensors/all_types.safetensors"))
    let tensors = Dictionary(uniqueKeysWithValues: file.tensors.entries.map { ($0.name, $0.tensor) })
    let types: [(name: String, type: ElementType)] = [
      ("f64", .float64), ("f32", .float32), ("f16", .float16), ("bf16", .bfloat16), ("i64", .int64),
      ("i32", .int32), ("i16", .int16), ("i8", .int8), ("u8", .uint8), ("bool", .bool),
    ]
    for (name, type) in types {
      let tensor = try #require(tensors[name])
      #expect(tensor.encoding == .plain(type))
      switch type {
      // bfloat16 has 8 bits: 65504 is cut to 65280.
      case .bfloat16: #expect(tensor.floats() == [-1.5, 0, 0.25, 3, 65280, .infinity])
      case .uint8: #expect(tensor.floats() == [0, 1, 2, 200, 254, 255])
      case .bool: #expect(tensor.floats() == [1, 0, 1])
      case _ where type.isFloatingPoint: #expect(tensor.floats() == [-1.5, 0, 0.25, 3, 65504, .infinity])
      default: #expect(tensor.floats() == [-2, -1, 0, 1, 100, 127])
      }
      #expect(tensor.shape == (type == .bool ? [3] : type.isFloatingPoint ? [2, 3] : [6]))
    }
    #expect(tensors["scalar"] == StoredTensor(shape: [], floats: [2.5]))
    #expect(tensors["empty"] == StoredTensor(shape: [0, 4], floats: []))
    #expect(tensors["spéciäl \"name\""] == StoredTensor(shape: [1], floats: [1]))
    #expect(tensors.count == 13)
    #expect(file.tensors.notes == ["1 tensor of doubles will be rounded to floats"])
  }

  @Test func keepsTheMetadata() throws {
    let file = try readSafetensors(try fixtureBytes("safetensors/all_types.safetensors"))
    #expect(file.text("format") == "np")
    #expect(file.text("note") == "written by the reference implementation")
    #expect(file.text("nothing") == nil)
    #expect(file.metadata.count == 2)
  }

  @Test func aHeaderMayBePaddedAndEmpty() throws {
    let file = try readSafetensors([5, 0, 0, 0, 0, 0, 0, 0] + Array("{}   ".utf8))
    #expect(file.tensors.entries.isEmpty && file.metadata.isEmpty && file.headerByteCount == 13)
  }
}
