import CSchemas
import Diagnostics
import ProtobufSupport
import Tensors

extension ONNXTensor {
  /// Reads a tensor from its message, or from the file that it points to.
  /// - Throws: `.badInput` naming the tensor, when its type is not read or its bytes do not fit its shape.
  init(
    _ message: OnnxFile__Tensor, name: String, _ external: inout ExternalData
  ) throws(StyleModelError) {
    do throws(StyleModelError) {
      let extents = UnsafeBufferPointer(start: message.dims, count: message.n_dims).map { Int($0) }
      guard let shape = Shape(checking: extents), extents.count <= 16 else {
        throw StyleModelError(.badInput, "has an impossible shape \(extents.prefix(16))")
      }
      guard let type = StorageType(rawValue: Int(message.data_type)) else {
        throw StyleModelError(
          .badInput, "is of element type \(message.data_type), which is not read",
          remedy: "export it with float, half or integer weights")
      }
      let stored: [UInt8]
      if message.data_location == 1 {
        stored = try external.bytes(message, expecting: try type.byteCount(shape))
      } else if message.has_raw_data != 0 {
        stored = Array(message.raw_data.bytes)
      } else {
        stored = type.typedBytes(message, shape)
      }
      guard stored.count == (try type.byteCount(shape)) else {
        throw StyleModelError(
          .badInput, "holds \(counted(stored.count, "byte")), which do not fit \(shape) of \(type)")
      }
      self.name = name
      integerBits = type.bits < 8 ? type.bits : nil
      tensor = try StoredTensor(
        shape: shape, encoding: .plain(type.elementType), bytes: type.widened(stored, count: shape.count))
    } catch {
      throw StyleModelError(
        error.kind, file: error.file, place: error.place ?? "tensor '\(name)'", error.problem,
        remedy: error.remedy)
    }
  }
}

/// The standard's element types that are read, by its numbers.
private enum StorageType: Int {
  case float32 = 1
  case uint8, int8, uint16, int16, int32, int64
  case bool = 9
  case float16, float64, uint32, uint64
  case bfloat16 = 16
  case uint4 = 21
  case int4

  /// The bits of one number in the file.
  var bits: Int {
    switch self {
    case .uint4, .int4: 4
    case .uint8, .int8, .bool: 8
    case .uint16, .int16, .float16, .bfloat16: 16
    case .float32, .int32, .uint32: 32
    case .int64, .float64, .uint64: 64
    }
  }

  /// The type that the numbers have here: the narrowest that holds them. Unsigned 64-bit numbers beyond 2^63 do not
  /// occur; they would come out negative.
  var elementType: ElementType {
    switch self {
    case .float32: .float32
    case .uint8, .uint4: .uint8
    case .int8, .int4: .int8
    case .int16: .int16
    case .uint16, .int32: .int32
    case .int64, .uint32, .uint64: .int64
    case .bool: .bool
    case .float16: .float16
    case .float64: .float64
    case .bfloat16: .bfloat16
    }
  }

  /// The bytes that a tensor takes in the file; 4-bit numbers lie two in a byte.
  func byteCount(_ shape: Shape) throws(StyleModelError) -> Int {
    let (count, overflow) = shape.count.multipliedReportingOverflow(by: bits)
    guard !overflow else { throw StyleModelError(.badInput, "has an impossible shape \(shape)") }
    return (count + 7) / 8
  }

  /// The numbers of the field that holds this type, as they would stand in `raw_data`; none are added or left out.
  func typedBytes(_ message: OnnxFile__Tensor, _ shape: Shape) -> [UInt8] {
    func bytes<Stored, Number: FixedWidthInteger>(
      _ start: UnsafeMutablePointer<Stored>?, _ count: Int, _ convert: (Stored) -> Number
    ) -> [UInt8] {
      UnsafeBufferPointer(start: start, count: start == nil ? 0 : count).flatMap { value in
        withUnsafeBytes(of: convert(value).littleEndian) { Array($0) }
      }
    }
    switch self {
    case .float32: return bytes(message.float_data, message.n_float_data) { $0.bitPattern }
    case .float64: return bytes(message.double_data, message.n_double_data) { $0.bitPattern }
    case .int64: return bytes(message.int64_data, message.n_int64_data) { $0 }
    case .uint32:
      return bytes(message.uint64_data, message.n_uint64_data) { UInt32(truncatingIfNeeded: $0) }
    case .uint64: return bytes(message.uint64_data, message.n_uint64_data) { $0 }
    case .int32: return bytes(message.int32_data, message.n_int32_data) { $0 }
    case .uint16, .int16, .float16, .bfloat16:
      return bytes(message.int32_data, message.n_int32_data) { UInt16(truncatingIfNeeded: $0) }
    case .uint8, .int8, .bool, .uint4, .int4:
      return bytes(message.int32_data, message.n_int32_data) { UInt8(truncatingIfNeeded: $0) }
    }
  }

  /// Bytes of the file as bytes of `elementType`.
  func widened(_ bytes: [UInt8], count: Int) -> [UInt8] {
    switch self {
    case .uint4:
      return (0..<count).map { nibble(bytes, $0) }
    case .int4:
      // The sign bit is the fourth.
      return (0..<count).map { (nibble(bytes, $0) ^ 8) &- 8 }
    case .uint16:
      return extended(bytes, from: 2, to: 4)
    case .uint32:
      return extended(bytes, from: 4, to: 8)
    default: return bytes
    }
  }

  /// The low half of a byte comes first.
  private func nibble(_ bytes: [UInt8], _ index: Int) -> UInt8 {
    let byte = bytes[index / 2]
    return index % 2 == 0 ? byte & 15 : byte >> 4
  }

  /// Unsigned numbers made wider.
  private func extended(_ bytes: [UInt8], from size: Int, to wider: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: bytes.count / size * wider)
    for (index, byte) in bytes.enumerated() { result[index / size * wider + index % size] = byte }
    return result
  }
}
