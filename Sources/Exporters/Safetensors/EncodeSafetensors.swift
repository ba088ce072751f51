public import Diagnostics
import ModelGraph
import SafetensorsImporter
public import StyleModelFile
import Tensors

/// Writes a network as a safetensors file: its weights for everyone, its graph for this program.
///
/// Each weight is a tensor of its own name. One that is quantized becomes a tensor of integers, I8 or U8 whatever its
/// width, beside `NAME.scale` and, where it has offsets, `NAME.offset`, in F32 and of shapes such that
/// `NAME * NAME.scale + NAME.offset` broadcasts to the weight. The metadata hold the graph with its pixel contract, the
/// encodings and the provenance, so that `SafetensorsFile.model()` gives the same network back bit for bit.
///
/// The same model gives the same bytes.
/// - Throws: `.badInput` where the names of weights cannot be said in the graph's text form.
public func encodeSafetensors(_ model: StyleModel) throws(StyleModelError) -> [UInt8] {
  let text = model.graph.text
  try checkReadable(text, model.graph)
  var names = Set(model.graph.constants.values.map(\.name))
  var tensors: [PlainTensor] = []
  var encodings: [JSONValue.Member] = []
  for (_, constant) in model.graph.constantsInOrder {
    guard constant.name != SafetensorsFormat.metadataKey else {
      throw StyleModelError(
        .badInput, place: "tensor '\(constant.name)'", "has a name that safetensors keeps for itself")
    }
    switch constant.tensor.encoding {
    case .plain(let type):
      tensors.append(PlainTensor(constant.name, type, constant.tensor.shape, constant.tensor.bytes))
    case .affine(let affine):
      let parts = IntegerParts(constant.name, constant.tensor, affine, names: &names)
      tensors += parts.tensors
      encodings.append(parts.encoding)
    case .palette:
      // A table and places mean nothing to other programs.
      let floats = StoredTensor(shape: constant.tensor.shape, floats: constant.tensor.floats())
      tensors.append(PlainTensor(constant.name, .float32, floats.shape, floats.bytes))
    }
  }
  // As the reference implementation has it: the widest first, so that each tensor is aligned to its numbers.
  tensors = tensors.enumerated()
    .sorted { ($1.element.type.byteCount, $0.offset) < ($0.element.type.byteCount, $1.offset) }
    .map(\.element)
  var members = [
    JSONValue.Member(SafetensorsFormat.metadataKey, .object(metadata(model, text, encodings)))
  ]
  var offset = 0
  for tensor in tensors {
    members.append(tensor.member(at: offset))
    offset += tensor.bytes.count
  }
  var header = Array(JSONValue.object(members).text(indented: false).utf8)
  header += [UInt8](repeating: UInt8(ascii: " "), count: (8 - header.count % 8) % 8)
  guard header.count <= SafetensorsFormat.headerLimit, text.utf8.count <= SafetensorsFormat.graphTextLimit
  else {
    throw StyleModelError(.badInput, "is too large a network to be described in a safetensors file's header")
  }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(8 + header.count + offset)
  withUnsafeBytes(of: UInt64(header.count).littleEndian) { bytes += $0 }
  bytes += header
  for tensor in tensors { bytes += tensor.bytes }
  return bytes
}

/// Names with control characters, say, are written so that they can be printed, and would not be found again.
private func checkReadable(_ text: String, _ graph: Graph) throws(StyleModelError) {
  let tensors = graph.constants.values.map { ($0.name, $0.tensor) }
  do throws(StyleModelError) {
    let again = try Graph(text: text, constants: Dictionary(tensors, uniquingKeysWith: { first, _ in first }))
    guard again.contract == graph.contract, again.input.name == graph.input.name else {
      throw StyleModelError(
        .badInput, "has an input '\(printable(graph.input.name))' or pixels that read differently")
    }
  } catch {
    throw StyleModelError(
      .badInput, place: "text form, \(error.place ?? "graph")", error.problem,
      remedy: "write a .stylemodel, which can hold any name")
  }
}

private func metadata(
  _ model: StyleModel, _ text: String, _ encodings: [JSONValue.Member]
) -> [JSONValue.Member] {
  typealias Key = SafetensorsFormat.Key
  var texts: [(key: String, text: String)] =
    [(Key.format, "pt")] + model.provenance.metadata
    + [(Key.pixels, model.graph.contract.summary), (Key.graph, text)]
  if !encodings.isEmpty { texts.append((Key.encodings, JSONValue.object(encodings).text(indented: false))) }
  return texts.map { JSONValue.Member($0.key, .string($0.text)) }
}
