public import Diagnostics
public import Recipes
public import StyleModelFile
import Tensors

/// What a safetensors file holds.
public struct SafetensorsFile: Sendable {
  /// The tensors as they stand, in the header's order. The integers of a quantized network and their scales are
  /// tensors each.
  public var tensors: StateDict
  /// The texts about the file, in the header's order.
  public var metadata: [(key: String, text: String)]
  /// The length of what stands before the first tensor, in bytes.
  public var headerByteCount: Int

  /// The text of a key of the metadata, or nil.
  public func text(_ key: String) -> String? { metadata.first { $0.key == key }?.text }

  /// The network that the file describes, with its quantized weights as they were before they were written, where
  /// this program wrote it; nil for a file of tensors alone.
  /// - Throws: `.badInput` where the description does not fit the tensors.
  public func model() throws(StyleModelError) -> StyleModel? {
    guard let text = text(SafetensorsFormat.Key.graph) else { return nil }
    return StyleModel(graph: try graph(text), provenance: try provenance())
  }
}

/// Reads a safetensors file.
/// - Parameter bytes: the whole file.
/// - Throws: `.badInput` where the header is no strict JSON, describes tensors of a type that is not read, or does not
///   account for each byte of the file once.
public func readSafetensors(_ bytes: [UInt8]) throws(StyleModelError) -> SafetensorsFile {
  let header = try SafetensorsHeader(bytes)
  var dict = StateDict(entries: [], container: "safetensors file")
  for entry in header.entries {
    let tensor = try StoredTensor(
      shape: entry.shape, encoding: .plain(entry.type), bytes: Array(bytes[entry.range]))
    dict.entries.append(StateDict.Entry(name: entry.name, tensor: tensor))
  }
  dict.storageByteCount = bytes.count - header.byteCount
  let doubles = header.entries.count { $0.type == .float64 }
  if doubles > 0 { dict.notes.append("\(counted(doubles, "tensor")) of doubles will be rounded to floats") }
  return SafetensorsFile(tensors: dict, metadata: header.metadata, headerByteCount: header.byteCount)
}
