/// The type of one stored number. Bytes are always little-endian.
public enum ElementType: String, Hashable, Sendable, CaseIterable {
  case float64, float32, float16, bfloat16
  case int64, int32, int16, int8, uint8, bool

  /// The size of one number, in bytes.
  public var byteCount: Int {
    switch self {
    case .float64, .int64: 8
    case .float32, .int32: 4
    case .float16, .bfloat16, .int16: 2
    case .int8, .uint8, .bool: 1
    }
  }

  /// Whether the type holds floating-point numbers.
  public var isFloatingPoint: Bool {
    switch self {
    case .float64, .float32, .float16, .bfloat16: true
    case .int64, .int32, .int16, .int8, .uint8, .bool: false
    }
  }
}
