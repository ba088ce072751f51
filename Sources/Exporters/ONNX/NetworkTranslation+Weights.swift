import Diagnostics
import ModelGraph
import Tensors

extension NetworkTranslation {
  /// Adds a weight as it is stored, and what makes floats of it.
  /// - Returns: the name of the floats.
  mutating func addWeight(_ constant: Graph.Constant) -> String {
    let tensor = constant.tensor
    let name = draft.freeName(constant.name)
    var note: [JSONValue.Member] = name == constant.name ? [] : [.init("name", .string(constant.name))]
    defer { if !note.isEmpty { weightNotes.append(.init(name, .object(note))) } }
    let extents = tensor.shape.dimensions
    switch tensor.encoding {
    case .plain(let type):
      let number: ONNXDraft.ElementNumber
      switch type {
      case .float16: number = .float16
      case .bfloat16: number = .bfloat16
      case .float64: number = .float64
      case .float32, .int64, .int32, .int16, .int8, .uint8, .bool:
        // Integers that stand for themselves are no weights anyone trains; as floats they are what they are.
        let floats = StoredTensor(shape: tensor.shape, floats: tensor.floats())
        return draft.add(name, .float32, extents, type == .float32 ? tensor.bytes : floats.bytes)
      }
      draft.add(name, number, extents, tensor.bytes)
      return draft.add(
        "Cast", [name], output: draft.freeName(name + "/floats"),
        [("to", .integer(ONNXDraft.ElementNumber.float32.rawValue))])
    case .palette:
      // Operators that look numbers up would be slower than the network's own.
      return draft.add(
        name, .float32, extents, StoredTensor(shape: tensor.shape, floats: tensor.floats()).bytes)
    case .affine(let affine):
      let isNarrow = affine.bits <= 4
      if isNarrow { draft.requireOperatorSet(21) }
      let width = isNarrow ? 4 : 8
      if affine.bits != width { note.append(.init("bits", .integer(affine.bits))) }
      let integers = tensor.quantizedIntegers() ?? []
      let number: ONNXDraft.ElementNumber =
        isNarrow ? (affine.isSigned ? .int4 : .uint4) : affine.isSigned ? .int8 : .uint8
      draft.add(
        name, number, extents, affine.bits == width ? tensor.bytes : packIntegers(integers, bits: width))
      // A scale without extents is one for the whole tensor.
      let scale = draft.floats(
        name + ".scale", affine.axis == nil ? [] : [affine.scales.count], affine.scales)
      let product = draft.add(
        "DequantizeLinear", [name, scale], output: draft.freeName(name + "/floats"),
        affine.axis.map { [("axis", .integer($0))] } ?? [])
      guard !affine.offsets.isEmpty else { return product }
      let offset = draft.floats(
        name + ".offset",
        affine.axis.map { axis in extents.indices.map { $0 == axis ? extents[$0] : 1 } } ?? [],
        affine.offsets)
      return draft.add("Add", [product, offset], output: draft.freeName(name + "/shifted"))
    }
  }
}
