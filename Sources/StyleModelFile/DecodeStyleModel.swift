public import Diagnostics
import ModelGraph
import Tensors

/// Whether bytes begin like a `.stylemodel` file.
public func isStyleModel(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: Preamble.magic) }

/// Reads the bytes of a `.stylemodel` file.
///
/// Nothing in them is trusted: lengths, names, references and checksums are checked first, then payloads are unfolded to
/// exactly the lengths announced, and the graph that comes of it must satisfy the verifier.
/// - Throws: `.badInput` saying what is wrong and where.
public func decodeStyleModel(_ bytes: [UInt8]) throws(StyleModelError) -> StyleModel {
  try decodeStyleModel(bytes, checksums: .verify)
}

/// Reads a file as `decodeStyleModel` does, but for the checksums, which a fuzzer cannot guess.
@_spi(Fuzzing) public func decodeStyleModelIgnoringChecksums(
  _ bytes: [UInt8]
) throws(StyleModelError) -> StyleModel {
  try decodeStyleModel(bytes, checksums: .ignore)
}

/// Reads a file with or without looking at its checksums.
func decodeStyleModel(_ bytes: [UInt8], checksums: Checksums) throws(StyleModelError) -> StyleModel {
  let layout = try FileLayout(bytes, checksums: checksums)
  let header = layout.header
  var tensors: [StoredTensor] = []
  for (entry, range) in zip(header.tensors, layout.payloads) {
    do {
      tensors.append(try tensor(entry, bytes[range], checksums))
    } catch {
      throw StyleModelError(
        .badInput, place: "tensor \(entry.name)", error.problem, remedy: error.remedy)
    }
  }
  let graph = try graph(header, tensors)
  try graph.verify()
  return StyleModel(graph: graph, provenance: header.provenance)
}

private func tensor(
  _ entry: TensorEntry, _ stored: ArraySlice<UInt8>, _ checksums: Checksums
) throws(StyleModelError) -> StoredTensor {
  if checksums == .verify, crc32(stored) != entry.checksum {
    throw StyleModelError(.badInput, "is damaged: its CRC-32 is wrong", remedy: "copy the file again")
  }
  switch entry.compression {
  case .raw: return try StoredTensor(entry, payload: Array(stored))
  case .zlib:
    guard let payload = inflated(stored, count: entry.rawLength) else {
      throw StyleModelError(
        .badInput, "is not a zlib stream of \(grouped(entry.rawLength)) bytes", remedy: "copy the file again")
    }
    return try StoredTensor(entry, payload: payload)
  case .coded: return try StoredTensor(entry, coded: stored)
  }
}

/// The graph, its values numbered as in the file.
private func graph(_ header: FileHeader, _ tensors: [StoredTensor]) throws(StyleModelError) -> Graph {
  var graph = Graph(inputName: header.inputName, contract: header.contract)
  let results = header.nodes.map { _ in graph.newValue() }
  for (entry, tensor) in zip(header.tensors, tensors) { _ = graph.addConstant(entry.name, tensor) }
  for (result, call) in zip(results, header.nodes) {
    var reader = OperationCallReader(call)
    do {
      graph.nodes.append(Graph.Node(result: result, operation: try Operation(&reader)))
    } catch {
      throw StyleModelError(.badInput, place: "node \(result.number)", error.problem, remedy: error.remedy)
    }
  }
  graph.output = ValueID(header.output)
  graph.styles = header.styles
  return graph
}
