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

  /// The account of a file by layer and kind of storage, in the file's order. What a norm after a convolution takes
  /// counts to the convolution's layer. The shares add up to the file.
  /// - Parameter graph: the network that the file holds.
  func shares(for graph: Graph) -> [EvaluationReport.ByteShare] {
    var layers: [String: String] = [:]
    for layer in graph.weightedLayers {
      for operand in layer.nodes.flatMap({ graph.nodes[$0].operation.operands }) {
        if let constant = graph.constants[operand] { layers[constant.name] = layer.name }
      }
    }
    var encodings: [String: String] = [:]
    for constant in graph.constants.values { encodings[constant.name] = constant.tensor.encoding.shortName }
    var shares: [EvaluationReport.ByteShare] = []
    for payload in payloads {
      let share = EvaluationReport.ByteShare(
        layer: layers[payload.name] ?? layerName(ofTensor: payload.name),
        storage: encodings[payload.name] ?? "unknown", byteCount: payload.storedByteCount)
      let place = shares.firstIndex { $0.layer == share.layer && $0.storage == share.storage }
      if let place { shares[place].byteCount += share.byteCount } else { shares.append(share) }
    }
    return shares + [
      EvaluationReport.ByteShare(layer: "header", storage: nil, byteCount: headerByteCount),
      EvaluationReport.ByteShare(
        layer: "preamble and alignment", storage: nil, byteCount: preambleByteCount + paddingByteCount),
    ]
  }
}

extension Encoding {
  /// In a word: `fp32`, `int8`, `int4-affine`, `int8-per-tensor`, `palette4`.
  var shortName: String {
    switch self {
    case .plain(.float32): "fp32"
    case .plain(.float16): "fp16"
    case .plain(let type): type.rawValue
    case .affine(let affine):
      "int\(affine.bits)" + (affine.isSigned ? "" : "-affine") + (affine.axis == nil ? "-per-tensor" : "")
    case .palette(let palette): "palette\(palette.bits)"
    }
  }
}
