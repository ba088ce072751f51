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
    }
  }

  /// The payload before compression: the scales and the offsets, as floats, then the numbers.
  var payload: [UInt8] {
    guard case .affine(let affine) = encoding else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(storedByteCount)
    for value in affine.scales + affine.offsets { appendWord(value.bitPattern, to: &result) }
    return result + bytes
  }

  /// Puts a tensor together from its line in the table and its payload.
  /// - Throws: `.badInput` when a scale or an offset is not finite, or bits behind the last number are set.
  /// - Precondition: the payload is of the length that the entry has.
  init(_ entry: TensorEntry, payload: [UInt8]) throws(StyleModelError) {
    switch entry.form {
    case .plain(let type):
      try self.init(shape: entry.shape, encoding: .plain(type), bytes: payload)
    case .affine(let bits, let isSigned, let axis, let hasOffsets):
      let count = entry.scaleCount
      let scales = try finiteFloats(payload[...], count)
      let offsets = hasOffsets ? try finiteFloats(payload[(4 * count)...], count) : []
      let numbers = Array(payload[(4 * count * (hasOffsets ? 2 : 1))...])
      let unused = numbers.count * 8 - entry.shape.count * bits
      guard unused == 0 || (numbers.last ?? 0) >> UInt8(8 - unused) == 0 else {
        throw StyleModelError(.badInput, "has bits set behind its last number")
      }
      let encoding = AffineEncoding(
        bits: bits, isSigned: isSigned, axis: axis, scales: scales, offsets: offsets)
      try self.init(shape: entry.shape, encoding: .affine(encoding), bytes: numbers)
    }
  }
}

/// Reads scales or offsets from the front of a payload.
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
    throw StyleModelError(.badInput, "has scales or offsets that are not finite")
  }
  return floats
}
