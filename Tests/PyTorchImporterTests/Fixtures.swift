import Diagnostics
import Files
import Recipes
import Tensors
import Testing

@testable import PyTorchImporter

/// The bytes of a file below `Fixtures`.
func fixture(_ name: String) throws -> [UInt8] {
  // Tests/PyTorchImporterTests/Fixtures.swift, three levels down.
  let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  return try readFile("/\(root)/Fixtures/\(name)")
}

/// The numbers that `numbers` of Fixtures/torch/checkpoint_bytes.py makes.
func expectedNumbers(_ count: Int, step: Int = 7) -> [Float] {
  (0..<count).map { Float($0 * step % 33 - 16) / 16 }
}

/// Checks that a dict is what `two_layers` of Fixtures/torch/checkpoint_bytes.py makes, name for name and bit for bit.
func expectTwoLayers(_ dict: StateDict, step: Int = 7, sourceLocation: SourceLocation = #_sourceLocation) {
  let shapes: [(name: String, shape: Shape)] = [
    ("conv1.weight", [4, 3, 3, 3]), ("conv1.bias", [4]), ("in1.weight", [4]), ("in1.bias", [4]),
    ("conv2.weight", [3, 4, 1, 1]), ("conv2.bias", [3]),
  ]
  #expect(dict.entries.map(\.name) == shapes.map(\.name), sourceLocation: sourceLocation)
  for (entry, expected) in zip(dict.entries, shapes) {
    let tensor = StoredTensor(
      shape: expected.shape, floats: expectedNumbers(expected.shape.count, step: step))
    #expect(entry.tensor == tensor, "\(entry.name)", sourceLocation: sourceLocation)
  }
}

/// The error of reading a checkpoint, or nil if it was read.
func refusal(_ bytes: [UInt8], options: PyTorchOptions = PyTorchOptions()) -> StyleModelError? {
  do throws(StyleModelError) {
    _ = try readPyTorchCheckpoint(bytes, options: options)
    return nil
  } catch { return error }
}
