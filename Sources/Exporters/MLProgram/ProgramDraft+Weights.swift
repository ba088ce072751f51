import MLProgramImporter
import ModelGraph
import Tensors

extension ProgramDraft.OperatorSet {
  /// The oldest operators that can say the weights of a graph as they are stored.
  init(_ graph: Graph) {
    self = graph.constantsInOrder.map { Self($0.constant.tensor.encoding) }.max() ?? .iOS15
  }

  private init(_ encoding: Encoding) {
    switch encoding {
    case .plain(.float16): self = .iOS16
    case .plain: self = .iOS15
    case .affine(let affine): self = affine.storedBits == 8 ? .iOS16 : .iOS18
    case .palette(let palette): self = palette.axis == nil && palette.storedBits != 3 ? .iOS16 : .iOS18
    }
  }
}

/// The width that integers of so many bits have in a package: the format has none of 2, 3, 5, 6 and 7 bits, but codes of
/// palettes of 2, 3 and 6 bits.
public func mlPackageBits(for bits: Int) -> Int { [1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 6][bits] ?? 8 }

extension PaletteEncoding {
  fileprivate var storedBits: Int { mlPackageBits(for: bits) }

  /// The tables one after another, filled up with their last numbers to the width that is stored.
  fileprivate var storedTables: [Float] {
    tables.flatMap { table in
      table + [Float](repeating: table.last ?? 0, count: 1 << storedBits - table.count)
    }
  }
}

extension AffineEncoding {
  fileprivate var storedBits: Int { mlPackageBits(for: bits) }

  /// What offsets are in units of the scales: the format subtracts before it multiplies. Nil where that loses the weights.
  fileprivate var zeroPoints: [Float]? {
    let points = zip(offsets, scales).map { -$0 / $1 }
    return points.allSatisfy(\.isFinite) && scales.allSatisfy { $0 != 0 } ? points : nil
  }
}

extension ProgramDraft {
  /// Adds a weight as it is stored, and gives the name that stands for it as floats.
  ///
  /// Halves are widened where the program is loaded (`constexpr_cast`). Integers of 8 and 4 bits are the format's own; of
  /// other widths they are codes of a palette that holds the integers themselves, which a scale then multiplies.
  mutating func weight(_ name: String, _ tensor: StoredTensor) -> String {
    let shape = tensor.shape.dimensions
    switch tensor.encoding {
    case .plain(.float16):
      let data = numbers(.float16, shape, tensor.bytes)
      let result = freeName(name)
      compressed(
        "constexpr_cast", [("output_dtype", .value(.text("fp32"))), ("source_val", .value(data))],
        result: result, shape: shape)
      return result
    case .affine(let affine) where affine.offsets.isEmpty || affine.zeroPoints != nil:
      return integers(name, tensor, affine)
    case .palette(let palette): return places(name, tensor, palette)
    case .plain, .affine:
      return constant(name, numbers(tensor.floats(), shape: shape))
    }
  }

  /// Places in palettes: one for the tensor in the bytes of a vector (iOS 16), or several along an axis (iOS 18).
  private mutating func places(_ name: String, _ tensor: StoredTensor, _ palette: PaletteEncoding) -> String {
    let shape = tensor.shape.dimensions
    let bits = palette.storedBits
    let packed =
      bits == palette.bits ? tensor.bytes : packIntegers(lowBytes: tensor.palettePlaces() ?? [], bits: bits)
    let result = freeName(name)
    if operatorSet < .iOS18 {
      let table = palette.storedTables
      compressed(
        "constexpr_lut_to_dense",
        [
          ("indices", .value(numbers(.uint8, [packed.count], packed))),
          ("lut", .value(numbers(table, shape: [table.count]))),
          ("shape", .value(integers(shape))),
        ], result: result, shape: shape)
      return result
    }
    let types: [Int: ProgramType] = [1: .uint1, 2: .uint2, 3: .uint3, 4: .uint4, 6: .uint6]
    let spread = shape.indices.map { $0 == palette.axis ? palette.tables.count : 1 }
    compressed(
      "constexpr_lut_to_dense",
      [
        ("indices", .value(numbers(types[bits] ?? .uint8, shape, packed))),
        ("lut", .value(numbers(palette.storedTables, shape: spread + [1 << bits, 1]))),
      ], result: result, shape: shape)
    return result
  }

  /// Extents as numbers of the type that shapes have.
  private mutating func integers(_ extents: [Int]) -> ProgramValue {
    ProgramValue(
      type: .uint32, shape: [extents.count],
      place: .bytes(
        extents.flatMap { extent in withUnsafeBytes(of: UInt32(extent).littleEndian) { Array($0) } }))
  }

  private mutating func integers(_ name: String, _ tensor: StoredTensor, _ affine: AffineEncoding) -> String {
    let shape = tensor.shape.dimensions
    let zeros = affine.zeroPoints.flatMap { $0.isEmpty ? nil : $0 }
    // Scales along one axis, or one for all.
    let spread = shape.indices.map { $0 == affine.axis ? shape[$0] : 1 }
    let bits = affine.storedBits
    if operatorSet < .iOS18 {
      let type: ProgramType = affine.isSigned ? .int8 : .uint8
      let data = numbers(type, shape, integers(tensor, affine, bits: bits))
      let vector = affine.axis.map { [shape[$0]] } ?? []
      let scale = numbers(affine.scales, shape: vector)
      let zero =
        zeros.map { numbers($0, shape: vector) } ?? ProgramValue(type: type, shape: [], place: .bytes([0]))
      let result = freeName(name)
      compressed(
        "constexpr_affine_dequantize",
        [
          ("axis", .value(.number(affine.axis ?? 0))), ("quantized_data", .value(data)),
          ("scale", .value(scale)), ("zero_point", .value(zero)),
        ], result: result, shape: shape)
      return result
    }
    let data: Argument
    if bits == 8 || bits == 4 {
      let type: ProgramType =
        bits == 8 ? (affine.isSigned ? .int8 : .uint8) : affine.isSigned ? .int4 : .uint4
      data = .value(numbers(type, shape, integers(tensor, affine, bits: bits)))
    } else {
      data = .name(codes(name + "_integers", tensor, affine, bits: bits))
    }
    let scale = numbers(affine.scales, shape: spread)
    var parts: [(role: String, value: Argument)] = [("data", data), ("scale", .value(scale))]
    if let zeros { parts.append(("offset", .value(numbers(zeros, shape: spread)))) }
    let result = freeName(name)
    compressed("constexpr_blockwise_shift_scale", parts, result: result, shape: shape)
    return result
  }

  /// The integers packed in the width that the file has.
  private func integers(_ tensor: StoredTensor, _ affine: AffineEncoding, bits: Int) -> [UInt8] {
    bits == affine.bits ? tensor.bytes : packIntegers(tensor.quantizedIntegers() ?? [], bits: bits)
  }

  /// The integers as codes of a palette that holds all integers of that width.
  private mutating func codes(
    _ name: String, _ tensor: StoredTensor, _ affine: AffineEncoding, bits: Int
  ) -> String {
    let shape = tensor.shape.dimensions
    let lowest = affine.isSigned ? -(1 << (bits - 1)) : 0
    let type: ProgramType = bits == 2 ? .uint2 : bits == 3 ? .uint3 : .uint6
    let packed = packIntegers((tensor.quantizedIntegers() ?? []).map { $0 - lowest }, bits: bits)
    let indices = numbers(type, shape, packed)
    let palette = (0..<(1 << bits)).map { Float($0 + lowest) }
    let lut = numbers(palette, shape: shape.map { _ in 1 } + [palette.count, 1])
    let result = freeName(name)
    compressed(
      "constexpr_lut_to_dense", [("indices", .value(indices)), ("lut", .value(lut))], result: result,
      shape: shape)
    return result
  }
}
