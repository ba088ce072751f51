package import Tensors

/// The element types of ML Programs, by the numbers that the format has for them.
package enum ProgramType: Int, Sendable, CaseIterable {
  case bool = 1
  case string = 2
  case float16 = 10
  case float32
  case float64
  case bfloat16
  case int8 = 21
  case int16, int32, int64
  case int4
  case uint8 = 31
  case uint16, uint32, uint64
  case uint4
  case uint2
  case uint1
  case uint6
  case uint3

  /// The bits that one number takes, packed; 0 for texts, which have none.
  package var bits: Int {
    switch self {
    case .string: 0
    case .uint1: 1
    case .uint2: 2
    case .uint3: 3
    case .int4, .uint4: 4
    case .uint6: 6
    case .bool, .int8, .uint8: 8
    case .int16, .uint16, .float16, .bfloat16: 16
    case .int32, .uint32, .float32: 32
    case .int64, .uint64, .float64: 64
    }
  }

  /// Whether numbers may be negative.
  package var isSigned: Bool {
    switch self {
    case .int4, .int8, .int16, .int32, .int64, .float16, .float32, .float64, .bfloat16: true
    default: false
    }
  }

  /// The number by which weight files name the type, or nil where they cannot hold it.
  package var blobCode: UInt32? {
    switch self {
    case .float16: 1
    case .float32: 2
    case .uint8: 3
    case .int8: 4
    case .bfloat16: 5
    case .int16: 6
    case .uint16: 7
    case .int4: 8
    case .uint1: 9
    case .uint2: 10
    case .uint4: 11
    case .uint3: 12
    case .uint6: 13
    case .int32: 14
    case .uint32: 15
    case .bool, .string, .float64, .int64, .uint64: nil
    }
  }

  /// The type of weights here that has the same bytes, or nil.
  package var elementType: ElementType? {
    switch self {
    case .float16: .float16
    case .float32: .float32
    case .float64: .float64
    case .bfloat16: .bfloat16
    case .int8: .int8
    case .int16: .int16
    case .int32: .int32
    case .int64: .int64
    case .uint8: .uint8
    case .bool: .bool
    default: nil
    }
  }

  /// Whether numbers are floating-point.
  package var isFloat: Bool { elementType?.isFloatingPoint ?? false }

  /// The bytes that `count` numbers take, packed, or nil if no `Int` holds it.
  package func byteCount(_ count: Int) -> Int? {
    let (total, overflow) = count.multipliedReportingOverflow(by: bits)
    return overflow || total > Int.max - 7 ? nil : (total + 7) / 8
  }
}
