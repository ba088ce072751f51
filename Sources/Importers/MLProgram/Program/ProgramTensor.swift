import Diagnostics
import Tensors

/// Known numbers of a program, as it stores them: packed, least significant bit first, little-endian.
struct ProgramTensor: Hashable {
  let type: ProgramType
  let shape: Shape
  let bytes: [UInt8]

  /// Puts numbers together.
  /// - Throws: `.badInput` when there are not as many bytes as the shape wants.
  init(type: ProgramType, shape: Shape, bytes: [UInt8]) throws(StyleModelError) {
    guard type != .string, type.byteCount(shape.count) == bytes.count else {
      throw StyleModelError(
        .badInput, "holds \(counted(bytes.count, "byte")), which do not fit \(shape) of \(type)")
    }
    self.type = type
    self.shape = shape
    self.bytes = bytes
  }

  /// The numbers as floats, as they widen.
  func floats() throws(StyleModelError) -> [Float] {
    if let element = type.elementType {
      return try StoredTensor(shape: shape, encoding: .plain(element), bytes: bytes).floats()
    }
    return try integers().map { Float($0) }
  }

  /// The numbers as integers.
  /// - Throws: `.badInput` when they are floats.
  func integers() throws(StyleModelError) -> [Int] {
    func wide<T: FixedWidthInteger>(_: T.Type) -> [Int] {
      bytes.withUnsafeBytes { raw in
        (0..<shape.count).map {
          Int(
            truncatingIfNeeded: T(
              littleEndian: raw.loadUnaligned(fromByteOffset: $0 * (T.bitWidth / 8), as: T.self)))
        }
      }
    }
    switch type {
    case .bool: return bytes.map { $0 == 0 ? 0 : 1 }
    case .int8: return wide(Int8.self)
    case .uint8: return bytes.map(Int.init)
    case .int16: return wide(Int16.self)
    case .uint16: return wide(UInt16.self)
    case .int32: return wide(Int32.self)
    case .uint32: return wide(UInt32.self)
    case .int64: return wide(Int64.self)
    case .uint64: return wide(UInt64.self)
    case .uint1: return (0..<shape.count).map { Int(bytes[$0 / 8] >> UInt8($0 % 8) & 1) }
    case .int4, .uint4, .uint2, .uint3, .uint6:
      // Packed as our own integers are.
      let encoding = AffineEncoding(bits: type.bits, isSigned: type.isSigned, axis: nil, scales: [1])
      let tensor = try StoredTensor(shape: shape, encoding: .affine(encoding), bytes: bytes)
      return tensor.quantizedIntegers() ?? []
    case .string, .float16, .float32, .float64, .bfloat16:
      throw StyleModelError(.badInput, "is \(type) where whole numbers are wanted")
    }
  }

  /// The numbers as a weight; integers as such.
  func stored() throws(StyleModelError) -> StoredTensor {
    if let element = type.elementType {
      return try StoredTensor(shape: shape, encoding: .plain(element), bytes: bytes)
    }
    return StoredTensor(shape: shape, floats: try floats())
  }
}
