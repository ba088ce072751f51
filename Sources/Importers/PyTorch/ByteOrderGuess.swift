import Tensors

/// Tells the byte order of numbers that were trained by looking at their sizes.
enum ByteOrderGuess {
  /// Whether the numbers make more sense most significant byte first. Weights and counters lie within a dozen
  /// orders of magnitude of one; the same bytes the other way round spread over all exponents.
  static func looksBigEndian(_ bytes: ArraySlice<UInt8>, of type: ElementType) -> Bool {
    let size = type.byteCount
    guard size > 1 else { return false }
    var little = 0
    var big = 0
    bytes.withUnsafeBytes { raw in
      for offset in stride(from: 0, to: min(raw.count / size, 4096) * size, by: size) {
        var bits: UInt64 = 0
        for byte in 0..<size { bits |= UInt64(raw[offset + byte]) << UInt64(8 * byte) }
        if isPlausible(bits, type) { little += 1 }
        if isPlausible(bits.byteSwapped >> UInt64(64 - 8 * size), type) { big += 1 }
      }
    }
    return big > little
  }

  private static func isPlausible(_ bits: UInt64, _ type: ElementType) -> Bool {
    let magnitude: Double
    switch type {
    case .float64: magnitude = Double(bitPattern: bits).magnitude
    case .float32: magnitude = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))).magnitude
    case .bfloat16: magnitude = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits) << 16)).magnitude
    // Five bits of exponent say little: the top and the denormal ones are left out.
    case .float16: return bits == 0 || bits == 0x8000 || (4...18).contains(bits >> 10 & 0x1F)
    case .int64: magnitude = Double(Int64(bitPattern: bits).magnitude)
    case .int32: magnitude = Double(Int32(truncatingIfNeeded: bits).magnitude)
    case .int16: magnitude = Double(Int16(truncatingIfNeeded: bits).magnitude)
    case .int8, .uint8, .bool: return true
    }
    return type.isFloatingPoint
      ? magnitude == 0 || (1e-8...1e6).contains(magnitude)
      : magnitude < Double(UInt64(1) << UInt64(type.byteCount * 4))
  }
}
