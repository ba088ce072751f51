import Diagnostics
import Tensors

extension StoredTensor {
  /// The encoding as the table says it.
  var form: TensorEntry.Form {
    switch encoding {
    case .plain(let type): .plain(type)
    case .affine(let affine):
      .affine(
        bits: affine.bits, isSigned: affine.isSigned, axis: affine.axis, hasOffsets: !affine.offsets.isEmpty)
    case .palette(let palette):
      .palette(bits: palette.bits, axis: palette.axis, tables: palette.tables.count)
    }
  }

  /// The payload before compression: the scales and the offsets, or the tables, as floats, then the numbers.
  var payload: [UInt8] {
    var floats: [Float]
    switch encoding {
    case .plain: return bytes
    case .affine(let affine): floats = affine.scales + affine.offsets
    case .palette(let palette): floats = palette.tables.flatMap { $0 }
    }
    var result: [UInt8] = []
    result.reserveCapacity(storedByteCount)
    for value in floats { appendWord(value.bitPattern, to: &result) }
    return result + bytes
  }

  /// Puts a tensor together from its line in the table and its payload.
  /// - Throws: `.badInput` when a scale, an offset or a number of a table is not finite, or bits behind the last number are set.
  /// - Precondition: the payload is of the length that the entry has.
  init(_ entry: TensorEntry, payload: [UInt8]) throws(StyleModelError) {
    switch entry.form {
    case .plain(let type):
      try self.init(shape: entry.shape, encoding: .plain(type), bytes: payload)
    case .affine(let bits, let isSigned, let axis, let hasOffsets):
      let count = entry.scaleCount
      let scales = try finiteFloats(payload[...], count)
      let offsets = hasOffsets ? try finiteFloats(payload[(4 * count)...], count) : []
      let numbers = try packedNumbers(payload[(4 * count * (hasOffsets ? 2 : 1))...], entry, bits: bits)
      let encoding = AffineEncoding(
        bits: bits, isSigned: isSigned, axis: axis, scales: scales, offsets: offsets)
      try self.init(shape: entry.shape, encoding: .affine(encoding), bytes: numbers)
    case .palette(let bits, let axis, let count):
      let floats = try finiteFloats(payload[...], count << bits)
      let tables = (0..<count).map { Array(floats[$0 << bits..<($0 + 1) << bits]) }
      let numbers = try packedNumbers(payload[(4 * count << bits)...], entry, bits: bits)
      try self.init(
        shape: entry.shape, encoding: .palette(PaletteEncoding(bits: bits, axis: axis, tables: tables)),
        bytes: numbers)
    }
  }
}

/// The numbers at the end of a payload.
/// - Throws: `.badInput` when bits behind the last one are set.
private func packedNumbers(
  _ bytes: ArraySlice<UInt8>, _ entry: TensorEntry, bits: Int
) throws(StyleModelError) -> [UInt8] {
  let unused = bytes.count * 8 - entry.shape.count * bits
  guard unused == 0 || (bytes.last ?? 0) >> UInt8(8 - unused) == 0 else {
    throw StyleModelError(.badInput, "has bits set behind its last number")
  }
  return Array(bytes)
}

/// Reads scales, offsets or tables from the front of a payload.
/// - Throws: `.badInput` when one is not finite.
/// - Precondition: there are as many.
func finiteFloats(_ payload: ArraySlice<UInt8>, _ count: Int) throws(StyleModelError) -> [Float] {
  let floats = payload.withUnsafeBytes { buffer in
    (0..<count).map { index in
      Float(
        bitPattern: UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)))
    }
  }
  guard floats.allSatisfy(\.isFinite) else {
    throw StyleModelError(.badInput, "has scales, offsets or tables that are not finite")
  }
  return floats
}
