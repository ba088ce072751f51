import Diagnostics
import ModelGraph
import Recipes
import Tensors

/// The network that a file of this program describes in its metadata.
extension SafetensorsFile {
  func graph(_ text: String) throws(StyleModelError) -> Graph {
    guard text.utf8.count <= SafetensorsFormat.graphTextLimit else {
      throw damaged(
        "is a text of \(byteSize(text.utf8.count)); up to \(byteSize(SafetensorsFormat.graphTextLimit)) are read",
        at: SafetensorsFormat.Key.graph)
    }
    var constants: [String: StoredTensor] = [:]
    for entry in tensors.entries { constants[entry.name] = entry.tensor }
    for encoding in try encodings() {
      constants[encoding.name] = try encoding.tensor(in: &constants)
    }
    let graph: Graph
    do throws(StyleModelError) { graph = try Graph(text: text, constants: constants) } catch {
      let place = error.place.map { "\(SafetensorsFormat.Key.graph), \($0)" } ?? SafetensorsFormat.Key.graph
      throw damaged(error.problem, at: place)
    }
    let used = Set(graph.constants.values.map(\.name))
    if let idle = tensors.entries.first(where: { constants[$0.name] != nil && !used.contains($0.name) }) {
      throw damaged("has no place in the network that the file describes", at: tensorPlace(idle.name))
    }
    return graph
  }

  private func encodings() throws(StyleModelError) -> [IntegerTensor] {
    guard let text = text(SafetensorsFormat.Key.encodings) else { return [] }
    let place = SafetensorsFormat.Key.encodings
    let document: JSONValue
    do throws(StyleModelError) {
      document = try JSONValue(parsing: Array(text.utf8)[...], place: place)
    } catch { throw damaged(error.problem, at: error.place) }
    var result: [IntegerTensor] = []
    for member in document.members ?? [] {
      guard let encoding = IntegerTensor(member) else {
        throw damaged(
          "has an encoding of '\(printable(member.key, limit: 120))' that is not understood", at: place)
      }
      result.append(encoding)
    }
    return result
  }
}

/// What the metadata say of a tensor of integers that stand for floats.
private struct IntegerTensor {
  var name: String
  var bits: Int
  var isSigned: Bool
  var axis: Int?
  var scale: String
  var offset: String?

  /// Reads `"conv1.weight": {"bits": 8, "signed": true, "axis": 0, "scale": "conv1.weight.scale"}`.
  init?(_ member: JSONValue.Member) {
    name = member.key
    var known = 3
    guard let bits = member.value["bits"]?.integer, let isSigned = member.value["signed"]?.bool,
      let scale = member.value["scale"]?.string
    else { return nil }
    self.bits = bits
    self.isSigned = isSigned
    self.scale = scale
    if let value = member.value["axis"] {
      guard let axis = value.integer else { return nil }
      self.axis = axis
      known += 1
    }
    if let value = member.value["offset"] {
      guard let offset = value.string else { return nil }
      self.offset = offset
      known += 1
    }
    guard member.value.members?.count == known else { return nil }
  }

  /// The tensor with its integers packed again, its scales and offsets put in and taken out of `tensors`.
  func tensor(in tensors: inout [String: StoredTensor]) throws(StyleModelError) -> StoredTensor {
    do throws(StyleModelError) {
      guard (2...8).contains(bits) else {
        throw StyleModelError(.badInput, "is quantized to \(bits) bits; 2 to 8 can be read")
      }
      guard let integers = tensors.removeValue(forKey: name),
        integers.encoding == .plain(isSigned ? .int8 : .uint8)
      else { throw StyleModelError(.badInput, "is not there as \(isSigned ? "I8" : "U8") numbers") }
      // The bits above the width repeat the sign, or are zero.
      let limit = isSigned ? 1 << (bits - 1) : 1 << bits
      guard
        integers.bytes.allSatisfy({ byte in
          isSigned ? (-limit..<limit).contains(Int(Int8(bitPattern: byte))) : Int(byte) < limit
        })
      else { throw StyleModelError(.badInput, "has numbers that do not fit \(bits) bits") }
      let scales = try factors(scale, &tensors)
      let offsets: [Float] = if let offset { try factors(offset, &tensors) } else { [] }
      return try StoredTensor(
        shape: integers.shape,
        encoding: .affine(
          AffineEncoding(bits: bits, isSigned: isSigned, axis: axis, scales: scales, offsets: offsets)),
        bytes: packIntegers(lowBytes: integers.bytes, bits: bits))
    } catch {
      throw damaged(error.problem, at: tensorPlace(name))
    }
  }

  private func factors(
    _ name: String, _ tensors: inout [String: StoredTensor]
  ) throws(StyleModelError) -> [Float] {
    guard let tensor = tensors.removeValue(forKey: name), tensor.encoding == .plain(.float32) else {
      throw StyleModelError(.badInput, "lacks '\(printable(name, limit: 120))', its scales or offsets in F32")
    }
    return tensor.floats()
  }
}
