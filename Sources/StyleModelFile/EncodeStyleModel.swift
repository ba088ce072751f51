public import Diagnostics
import ModelGraph
import Tensors

/// The bytes of a `.stylemodel` file, as Schemas/stylemodel-format.md describes it. The same model gives the same
/// bytes; operations and tensors that the output does not depend on are left out.
/// - Parameter entropyCoding: whether integers may be entropy-coded, which makes them smaller than zlib does; such a file
///   takes a little longer to load, and readers before this feature refuse it.
/// - Throws: `.badInput` when the graph does not satisfy its verifier; `.internalFault` when it is beyond what readers
///   accept.
public func encodeStyleModel(
  _ model: StyleModel, entropyCoding: Bool = false
) throws(StyleModelError) -> [UInt8] {
  var graph = model.graph
  graph.removeUnused()
  try graph.verify()
  try model.provenance.checkSourceName()
  let constants = graph.constantsInOrder
  var entries: [TensorEntry] = []
  var payloads: [[UInt8]] = []
  for item in constants {
    let (entry, payload) = stored(item.constant, entropyCoding: entropyCoding)
    entries.append(entry)
    payloads.append(payload)
  }
  let numbers = fileNumbers(graph, constants.map(\.value))
  let header = FileHeader(
    inputName: graph.input.name, contract: graph.contract,
    nodes: graph.nodes.map { node in
      var call = node.operation.call
      for index in call.operands.indices {
        call.operands[index].value = numbers[call.operands[index].value] ?? call.operands[index].value
      }
      return call
    },
    output: numbers[graph.output]?.number ?? 0, tensors: entries, provenance: model.provenance,
    styles: graph.styles)
  let bytes = assemble(header: header.protobuf, payloads, features: header.requiredFeatures)
  // A writer must not make what its reader refuses: names with NULs, say, or pictures a million pixels wide.
  do {
    _ = try FileLayout(bytes, checksums: .verify)
  } catch {
    throw StyleModelError(.badInput, place: error.place, "cannot be stored: \(error.problem)")
  }
  return bytes
}

/// The numbers that the file gives to values: the picture, the nodes, the tensors.
private func fileNumbers(_ graph: Graph, _ constants: [ValueID]) -> [ValueID: ValueID] {
  let values = [graph.input.value] + graph.nodes.map(\.result) + constants
  return Dictionary(uniqueKeysWithValues: values.enumerated().map { ($1, ValueID($0)) })
}

/// A tensor's payload as it is stored, compressed where that is shorter, with its line in the table.
private func stored(_ constant: Graph.Constant, entropyCoding: Bool) -> (TensorEntry, [UInt8]) {
  let raw = constant.tensor.payload
  var entry = TensorEntry(
    name: constant.name, shape: constant.tensor.shape, form: constant.tensor.form, compression: .raw,
    storedLength: raw.count, rawLength: raw.count, checksum: 0)
  var payload = raw
  if let shorter = deflated(raw), raw.count <= TensorEntry.greatestRawLength(storedLength: shorter.count) {
    entry.compression = .zlib
    entry.storedLength = shorter.count
    payload = shorter
  }
  if entropyCoding, let shorter = constant.tensor.codedPayload(below: payload.count),
    raw.count <= TensorEntry.greatestRawLength(storedLength: shorter.count)
  {
    entry.compression = .coded
    entry.storedLength = shorter.count
    payload = shorter
  }
  entry.checksum = crc32(payload[...])
  return (entry, payload)
}

/// Preamble, header and payloads in a row, each payload aligned.
/// - Parameter compressesHeader: whether the header is compressed where that is shorter.
func assemble(
  header: [UInt8], _ payloads: [[UInt8]], features: RequiredFeatures = [], compressesHeader: Bool = true
) -> [UInt8] {
  var storedHeader = header
  if compressesHeader, let shorter = deflated(header, repeating: true),
    header.count <= TensorEntry.greatestRawLength(storedLength: shorter.count)
  {
    storedHeader = shorter
  }
  var bytes = Preamble.bytes(storedHeader: storedHeader, rawLength: header.count, features: features)
  bytes.reserveCapacity(
    bytes.count + storedHeader.count + payloads.reduce(0) { $0 + $1.count + FileLayout.alignment })
  bytes += storedHeader
  for payload in payloads {
    bytes += repeatElement(0, count: FileLayout.aligned(bytes.count) - bytes.count)
    bytes += payload
  }
  return bytes
}
