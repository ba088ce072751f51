import Diagnostics
import ModelGraph
import Tensors

extension ProgramConversion {
  /// What a compressed weight stands for. Its parts are attributes up to iOS 17, and inputs from then on.
  mutating func decompressed() throws(StyleModelError) -> KnownValue {
    guard CompressedWeight.operations.contains(operation.type) else {
      throw StyleModelError(
        .badInput, "is a compressed form of weights that is not read",
        remedy: "decompress the weights with coremltools (decompress_weights) first")
    }
    var arguments: [String: KnownValue] = [:]
    for role in operation.attributes.keys.sorted() {
      if let value = operation.attributes[role] { arguments[role] = try known.value(value) }
    }
    for role in operation.inputs.keys.sorted() { arguments[role] = try knownValue(role) }
    let weight = CompressedWeight(type: operation.type, arguments: arguments)
    let value = try weight.value { (count) throws(StyleModelError) in try known.spend(count) }
    if operation.type != "constexpr_cast", case .plain(let type) = try value.stored().encoding,
      type.isFloatingPoint
    {
      note("palettes, sparse weights, and integers with scales for blocks or odd zero points are decoded")
    }
    return value
  }

  private static let reshaping: Set<String> = ["identity", "cast", "reshape", "expand_dims", "squeeze"]

  /// A weight that only changes its shape or its name keeps its encoding; nil where the operation does something else.
  mutating func reshapedConstant() throws(StyleModelError) -> KnownValue? {
    guard Self.reshaping.contains(operation.type), case .known(let value)? = try argument("x") else {
      return nil
    }
    if operation.type == "identity" || operation.type == "cast" { return value }
    let tensor = try value.stored()
    guard let extents = try newExtents(tensor.shape.dimensions, size: probes.alive[0]),
      let shape = Shape(checking: extents), shape.count == tensor.shape.count
    else { throw StyleModelError(.badInput, "changes a weight of shape \(tensor.shape) wrongly") }
    // Scales run along an axis that may be another one now.
    if case .affine(let encoding) = tensor.encoding, encoding.axis != nil, shape != tensor.shape {
      try known.spend(shape.count)
      return .weight(StoredTensor(shape: shape, floats: tensor.floats()))
    }
    return .weight(try StoredTensor(shape: shape, encoding: tensor.encoding, bytes: tensor.bytes))
  }

  /// The extents after `reshape`, `expand_dims` or `squeeze`, or nil where they are impossible.
  mutating func newExtents(_ old: [Int], size: Int) throws(StyleModelError) -> [Int]? {
    switch operation.type {
    case "reshape":
      guard let wanted = try listsBySize("shape")?[size], wanted.count <= 16 else { return nil }
      var result: [Int] = []
      for (axis, extent) in wanted.enumerated() {
        guard let whole = Int(exactly: extent), (-1...1 << 40).contains(whole) else { return nil }
        result.append(whole == 0 && axis < old.count ? old[axis] : whole)
      }
      if let open = result.firstIndex(of: -1) {
        guard let rest = Shape(checking: result.filter { $0 != -1 })?.count, rest > 0,
          case let count = old.reduce(1, *), count % rest == 0
        else { return nil }
        result[open] = count / rest
      }
      return result.contains { $0 < 0 } ? nil : result
    case "expand_dims":
      guard let axes = try integers("axes") else { return nil }
      let rank = old.count + axes.count
      let places = axes.map { $0 < 0 ? $0 + rank : $0 }.sorted()
      guard rank <= 16, Set(places).count == places.count, places.allSatisfy({ (0..<rank).contains($0) })
      else { return nil }
      var result = old
      for place in places { result.insert(1, at: place) }
      return result
    case "squeeze":
      let axes =
        try integers("axes")?.map { $0 < 0 ? $0 + old.count : $0 } ?? old.indices.filter { old[$0] == 1 }
      guard axes.allSatisfy({ old.indices.contains($0) && old[$0] == 1 }) else { return nil }
      return old.indices.filter { !axes.contains($0) }.map { old[$0] }
    default: return nil
    }
  }
}
