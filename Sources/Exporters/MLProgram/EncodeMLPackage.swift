public import Diagnostics
import Files
import MLProgramImporter
public import ModelGraph
import ProtobufSupport
public import StyleModelFile
import Tensors

/// Writes a network as a Core ML package that holds an ML Program, which Xcode and coremltools open.
///
/// A picture goes in and a picture comes out, in the sizes that the contract allows. What the network itself wants and gives
/// of pixels, the clamp and the author's rounding are operations of the program. Weights stand as they are stored:
/// integers of 8 and 4 bits as such, other widths as codes of a palette, palettes as such, halves as halves, but vectors always as float32. What flows is float32, since the
/// statistics of instance norms overflow halves. The program uses the oldest operators that can say it: those of iOS 15 for
/// float32, iOS 16 for halves and 8 bits, iOS 18 for fewer bits. The metadata hold the provenance.
///
/// The same model gives the same bytes.
/// - Returns: the files, by their paths in the package.
/// - Throws: `.badInput` naming the operation, as the text form writes it, that the format cannot say.
public func encodeMLPackage(
  _ model: StyleModel
) throws(StyleModelError) -> [(name: String, bytes: [UInt8])] {
  let translation = try ProgramTranslation(packaged(model.graph))
  let weights = translation.draft.weights.bytes
  let program = translation.draft.program(
    input: translation.input, extents: translation.inputExtents, output: translation.output)
  var writer = ProtobufWriter()
  writer.number(1, translation.draft.operatorSet.rawValue)
  writer.message(2) { description in
    translation.interface.write(to: &description, input: translation.input, output: translation.output)
    description.message(100) { metadata in
      metadata.text(1, "A style-transfer network, converted from \(model.provenance.sourceName).")
      for (key, text) in model.provenance.metadata {
        metadata.message(100) { entry in
          entry.text(1, key)
          entry.text(2, text)
        }
      }
    }
  }
  writer.block(502, program)
  guard writer.bytes.count < 1 << 31 else {
    throw StyleModelError(.badInput, "is too large a network for a Core ML package")
  }
  let manifest = manifest(model: writer.bytes, weights: weights)
  return [
    ("Data/com.apple.CoreML/model.mlmodel", writer.bytes),
    ("Data/com.apple.CoreML/weights/weight.bin", weights),
    (MLPackage.manifestName, Array(manifest.utf8)),
  ]
}

/// The graph with its weights as a package stores them: vectors (biases, norms), whose readers do not take compressed
/// forms everywhere, as float32, and so integers of more than 8 bits, which the format has not.
public func packaged(_ graph: Graph) -> Graph {
  var result = graph
  for (value, constant) in graph.constants {
    var isWide = false
    if case .affine(let affine) = constant.tensor.encoding { isWide = affine.bits > 8 }
    guard isWide || constant.tensor.shape.rank < 2, constant.tensor.encoding != .plain(.float32) else {
      continue
    }
    result.setTensor(
      StoredTensor(shape: constant.tensor.shape, floats: constant.tensor.floats()), of: value)
  }
  return result
}

/// The manifest of a package, whose identifiers follow from what it lists, so that the same model gives the same bytes.
private func manifest(model: [UInt8], weights: [UInt8]) -> String {
  let digest = sha256(sha256(model) + sha256(weights))
  let modelIdentifier = identifier(sha256(digest + [0]))
  let weightsIdentifier = identifier(sha256(digest + [1]))
  func item(_ identifier: String, _ description: String, _ name: String) -> JSONValue.Member {
    JSONValue.Member(
      identifier,
      [
        "author": "com.apple.CoreML", "description": .string(description), "name": .string(name),
        "path": .string("com.apple.CoreML/" + name),
      ])
  }
  let items = [
    item(modelIdentifier, "CoreML Model Specification", "model.mlmodel"),
    item(weightsIdentifier, "CoreML Model Weights", "weights"),
  ].sorted { $0.key < $1.key }
  let manifest: JSONValue = [
    "fileFormatVersion": "1.0.0", "itemInfoEntries": .object(items),
    "rootModelIdentifier": .string(modelIdentifier),
  ]
  return manifest.text(indented: true) + "\n"
}

/// A digest in the form of a UUID of version 8, which leaves the bits to whoever makes it.
private func identifier(_ digest: [UInt8]) -> String {
  var bytes = Array(digest.prefix(16))
  bytes[6] = bytes[6] & 0x0F | 0x80
  bytes[8] = bytes[8] & 0x3F | 0x80
  let digits = Array(hexadecimal(bytes))
  return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
}
