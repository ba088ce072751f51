public import StyleModelFile

extension StyleModelSizes {
  /// The account of a file for people: its tensors by how they are stored, the largest share first, then the rest.
  /// The lines add up to the file.
  /// - Parameter graph: the network that the file holds.
  public func lines(for graph: Graph) -> [EvaluationReport.SizeLine] {
    var encodings: [String: String] = [:]
    for constant in graph.constants.values { encodings[constant.name] = constant.tensor.encoding.description }
    var groups: [String: (count: Int, stored: Int, raw: Int)] = [:]
    for payload in payloads {
      let key = encodings[payload.name] ?? "unknown"
      let old = groups[key] ?? (0, 0, 0)
      groups[key] = (old.count + 1, old.stored + payload.storedByteCount, old.raw + payload.rawByteCount)
    }
    let tensors = groups.sorted { ($1.value.stored, $0.key) < ($0.value.stored, $1.key) }.map { name, group in
      EvaluationReport.SizeLine(
        name: "\(counted(group.count, "tensor")) \(name)"
          + (group.stored < group.raw ? ", from \(grouped(group.raw))" : ""),
        byteCount: group.stored)
    }
    return tensors + [
      EvaluationReport.SizeLine(name: "header: graph, names, pixels, origin", byteCount: headerByteCount),
      EvaluationReport.SizeLine(
        name: "preamble and alignment", byteCount: preambleByteCount + paddingByteCount),
    ]
  }
}
