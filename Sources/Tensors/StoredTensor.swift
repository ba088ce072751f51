import CKernels
public import Diagnostics

/// A tensor as a file stores it: a shape, an encoding and the bytes. It becomes floats only when asked.
public struct StoredTensor: Hashable, Sendable {
  /// The extents.
  public let shape: Shape
  /// How `bytes` are to be read.
  public let encoding: Encoding
  /// The numbers, in C order, as `encoding` says.
  public let bytes: [UInt8]

  /// Creates a tensor whose parts must agree.
  /// - Throws: `.badInput` (without a file or place) when the byte count, the axis, the scales or the bit width
  ///   do not fit the shape.
  public init(shape: Shape, encoding: Encoding, bytes: [UInt8]) throws(StyleModelError) {
    guard let expected = try StoredTensor.byteCount(shape: shape, encoding: encoding), expected == bytes.count
    else {
      throw StyleModelError(.badInput, "holds \(bytes.count) bytes, which do not fit its shape \(shape)")
    }
    self.shape = shape
    self.encoding = encoding
    self.bytes = bytes
  }

  /// Creates a float32 tensor.
  /// - Precondition: there are as many floats as the shape has elements.
  public init(shape: Shape, floats: [Float]) {
    precondition(floats.count == shape.count)
    self.shape = shape
    self.encoding = .plain(.float32)
    self.bytes = floats.withUnsafeBytes { Array($0) }
  }

  /// The number of bytes that a tensor of this shape and encoding takes, or nil if it does not fit an `Int`.
  /// - Throws: `.badInput` when the encoding itself is unsound for the shape.
  public static func byteCount(shape: Shape, encoding: Encoding) throws(StyleModelError) -> Int? {
    switch encoding {
    case .plain(let type):
      let (bytes, overflow) = shape.count.multipliedReportingOverflow(by: type.byteCount)
      return overflow ? nil : bytes
    case .affine(let affine):
      guard AffineEncoding.widths.contains(affine.bits) else {
        throw StyleModelError(.badInput, "is quantized to \(affine.bits) bits; 2 to 16 can be read")
      }
      var scaleCount = 1
      if let axis = affine.axis {
        guard shape.dimensions.indices.contains(axis) else {
          throw StyleModelError(
            .badInput, "is quantized along axis \(axis), which its shape \(shape) has not")
        }
        scaleCount = shape[axis]
      }
      guard affine.scales.count == scaleCount, affine.offsets.isEmpty || affine.offsets.count == scaleCount
      else {
        throw StyleModelError(
          .badInput,
          "has \(affine.scales.count) scales and \(affine.offsets.count) offsets where \(scaleCount) are needed"
        )
      }
      return packedByteCount(shape.count, bits: affine.bits)
    case .palette(let palette):
      guard PaletteEncoding.widths.contains(palette.bits),
        palette.tables.allSatisfy({ $0.count == 1 << palette.bits })
      else {
        throw StyleModelError(.badInput, "has a palette that does not fit its \(palette.bits) bits")
      }
      let extent = palette.axis.map { shape.dimensions.indices.contains($0) ? shape[$0] : 0 } ?? 1
      guard !palette.tables.isEmpty, extent > 0, extent % palette.tables.count == 0 else {
        throw StyleModelError(
          .badInput, "has \(palette.tables.count) palettes, which its shape \(shape) cannot share out evenly")
      }
      return packedByteCount(shape.count, bits: palette.bits)
    }
  }

  /// The bytes that so many numbers take, packed without gaps, or nil if they do not fit an `Int`.
  private static func packedByteCount(_ count: Int, bits: Int) -> Int? {
    let (bitCount, overflow) = count.multipliedReportingOverflow(by: bits)
    return overflow ? nil : bitCount / 8 + (bitCount % 8 == 0 ? 0 : 1)
  }

  /// What the tensor takes in a file before compression: its numbers, scales, offsets and palettes, in bytes.
  public var storedByteCount: Int {
    switch encoding {
    case .plain: bytes.count
    case .affine(let affine): bytes.count + 4 * (affine.scales.count + affine.offsets.count)
    case .palette(let palette): bytes.count + 4 * palette.tables.reduce(0) { $0 + $1.count }
    }
  }

  /// The numbers as floats, in C order. Halves, bfloats, booleans and integers up to 2^24 widen exactly; doubles
  /// and larger integers are rounded to the nearest float.
  public func floats() -> [Float] {
    switch encoding {
    case .plain(let type): plainFloats(type)
    case .affine(let affine): affineFloats(affine)
    case .palette(let palette): paletteFloats(palette)
    }
  }

  /// The places in the tables, in C order, or nil where there are none.
  public func palettePlaces() -> [UInt8]? {
    guard case .palette(let palette) = encoding else { return nil }
    return unpackedIntegers(bits: palette.bits, isSigned: false).map { UInt8(truncatingIfNeeded: $0) }
  }

  /// The quantized integers, in C order, or nil for a plain tensor.
  public func quantizedIntegers() -> [Int]? {
    guard case .affine(let affine) = encoding else { return nil }
    return unpackedIntegers(bits: affine.bits, isSigned: affine.isSigned).map(Int.init)
  }

  /// The quantized integers, in C order, or nil for a plain tensor and for unsigned integers of 16 bits, which do not all
  /// fit.
  public func narrowQuantizedIntegers() -> [Int16]? {
    guard case .affine(let affine) = encoding, affine.isSigned || affine.bits < 16 else { return nil }
    return unpackedIntegers(bits: affine.bits, isSigned: affine.isSigned).map {
      Int16(truncatingIfNeeded: $0)
    }
  }

  private func plainFloats(_ type: ElementType) -> [Float] {
    let count = shape.count
    guard count > 0 else { return [] }
    return bytes.withUnsafeBytes { raw in
      func load<T>(_: T.Type, _ convert: (T) -> Float) -> [Float] {
        let size = MemoryLayout<T>.size
        return [Float](unsafeUninitializedCapacity: count) { out, used in
          for index in 0..<count {
            out.initializeElement(
              at: index, to: convert(raw.loadUnaligned(fromByteOffset: index * size, as: T.self)))
          }
          used = count
        }
      }
      switch type {
      case .float32: return load(Float.self) { $0 }
      case .float64: return load(Double.self) { Float($0) }
      case .bfloat16: return load(UInt16.self) { Float(bitPattern: UInt32($0) << 16) }
      case .float16:
        let halves = [UInt16](unsafeUninitializedCapacity: count) { out, used in
          UnsafeMutableRawBufferPointer(out).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: raw[..<(count * 2)]))
          used = count
        }
        return [Float](unsafeUninitializedCapacity: count) { out, used in
          ck_half_to_float(halves, out.baseAddress, count)
          used = count
        }
      case .int64: return load(Int64.self) { Float($0) }
      case .int32: return load(Int32.self) { Float($0) }
      case .int16: return load(Int16.self) { Float($0) }
      case .int8: return load(Int8.self) { Float($0) }
      case .uint8: return load(UInt8.self) { Float($0) }
      case .bool: return load(UInt8.self) { $0 == 0 ? 0 : 1 }
      }
    }
  }

  private func affineFloats(_ affine: AffineEncoding) -> [Float] {
    let integers = unpackedIntegers(bits: affine.bits, isSigned: affine.isSigned)
    let inner: Int
    let channels: Int
    if let axis = affine.axis {
      channels = shape[axis]
      inner = shape.dimensions[(axis + 1)...].reduce(1, *)
    } else {
      channels = 1
      inner = max(shape.count, 1)
    }
    return [Float](unsafeUninitializedCapacity: integers.count) { out, used in
      var index = 0
      while index < integers.count {
        for channel in 0..<channels {
          let scale = affine.scales[channel]
          let offset = affine.offsets.isEmpty ? 0 : affine.offsets[channel]
          for _ in 0..<inner {
            let product = Float(integers[index]) * scale
            out.initializeElement(at: index, to: affine.offsets.isEmpty ? product : product + offset)
            index += 1
          }
        }
      }
      used = index
    }
  }

  private func paletteFloats(_ palette: PaletteEncoding) -> [Float] {
    let places = unpackedIntegers(bits: palette.bits, isSigned: false)
    // So many numbers in a row have a table together, and then the next, and the first again after the last.
    let run =
      palette.axis.map { axis in
        shape.dimensions[(axis + 1)...].reduce(1, *) * (shape[axis] / palette.tables.count)
      } ?? max(shape.count, 1)
    return [Float](unsafeUninitializedCapacity: places.count) { out, used in
      var index = 0
      while index < places.count {
        for table in palette.tables {
          for _ in 0..<run {
            out.initializeElement(at: index, to: table[Int(places[index])])
            index += 1
          }
        }
      }
      used = index
    }
  }

  private func unpackedIntegers(bits: Int, isSigned: Bool) -> [Int32] {
    let count = shape.count
    let mask = UInt32(1) << UInt32(bits) - 1
    let signBit = Int32(1) << Int32(bits - 1)
    return [Int32](unsafeUninitializedCapacity: count) { out, used in
      var window: UInt32 = 0
      var available = 0
      var next = 0
      for index in 0..<count {
        while available < bits {
          window |= UInt32(bytes[next]) << UInt32(available)
          next += 1
          available += 8
        }
        let field = Int32(window & mask)
        window >>= UInt32(bits)
        available -= bits
        let value = isSigned ? (field ^ signBit) - signBit : field
        out.initializeElement(at: index, to: value)
      }
      used = count
    }
  }
}

/// Packs integers `bits` wide, 16 at most, into bytes, least significant bit first; only their low `bits` are kept.
public func packIntegers(_ integers: some Collection<Int>, bits: Int) -> [UInt8] {
  packed(integers.lazy.map { UInt32(truncatingIfNeeded: $0) }, bits: bits)
}

/// Packs integers as `packIntegers(_:bits:)` does.
public func packIntegers(_ integers: [Int16], bits: Int) -> [UInt8] {
  packed(integers.lazy.map { UInt32(truncatingIfNeeded: $0) }, bits: bits)
}

/// Packs integers of which only the low bytes are given, `bits` wide and 8 at most; see `packIntegers(_:bits:)`.
public func packIntegers(lowBytes: [UInt8], bits: Int) -> [UInt8] {
  bits == 8 ? lowBytes : packed(lowBytes.lazy.map { UInt32($0) }, bits: bits)
}

private func packed(_ integers: some Collection<UInt32>, bits: Int) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity((integers.count * bits + 7) / 8)
  let mask = UInt32(1) << UInt32(bits) - 1
  var window: UInt32 = 0
  var filled = 0
  for integer in integers {
    window |= (integer & mask) << UInt32(filled)
    filled += bits
    while filled >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: window))
      window >>= 8
      filled -= 8
    }
  }
  if filled > 0 { bytes.append(UInt8(truncatingIfNeeded: window)) }
  return bytes
}
