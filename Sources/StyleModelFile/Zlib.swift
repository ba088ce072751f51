import CZlib

/// The CRC-32 of zlib and PNG, going on from an earlier one.
func crc32(_ bytes: ArraySlice<UInt8>, after earlier: UInt32 = 0) -> UInt32 {
  bytes.withUnsafeBufferPointer { buffer in
    UInt32(truncatingIfNeeded: CZlib.crc32_z(UInt(earlier), buffer.baseAddress, buffer.count))
  }
}

/// The bytes as a zlib stream, or nil when that is not shorter.
/// - Parameter repeating: whether the bytes repeat themselves, as names do and weights hardly ever.
func deflated(_ bytes: [UInt8], repeating: Bool = false) -> [UInt8]? {
  guard bytes.count > 1, bytes.count < Int(UInt32.max) else { return nil }
  var stream = z_stream()
  // Weights repeat in runs of one value at most. Looking for runs only makes files of the same size within a
  // few bytes as looking for matches (smaller ones at 4 bits, where matches by chance cost), two to four times as fast.
  guard
    deflateInit2_(
      &stream, 9, Z_DEFLATED, 15, 9, repeating ? Z_DEFAULT_STRATEGY : Z_RLE, zlibVersion(),
      Int32(MemoryLayout<z_stream>.size)) == Z_OK
  else { return nil }
  defer { deflateEnd(&stream) }
  var isWhole = false
  let result = [UInt8](unsafeUninitializedCapacity: bytes.count - 1) { out, count in
    bytes.withUnsafeBufferPointer { input in
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = UInt32(input.count)
      stream.next_out = out.baseAddress
      stream.avail_out = UInt32(out.count)
      isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
    }
    count = isWhole ? out.count - Int(stream.avail_out) : 0
  }
  return isWhole ? result : nil
}

/// What a zlib stream holds, or nil unless it is whole, sound, of exactly `count` bytes, and nothing follows it.
func inflated(_ bytes: ArraySlice<UInt8>, count expected: Int) -> [UInt8]? {
  guard bytes.count < Int(UInt32.max), expected < Int(UInt32.max) else { return nil }
  var stream = z_stream()
  guard inflateInit_(&stream, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
  defer { inflateEnd(&stream) }
  var isWhole = false
  // One byte more than expected, so that a longer stream is seen to be longer.
  let result = [UInt8](unsafeUninitializedCapacity: expected + 1) { out, count in
    bytes.withUnsafeBufferPointer { input in
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = UInt32(input.count)
      stream.next_out = out.baseAddress
      stream.avail_out = UInt32(expected + 1)
      let status = inflate(&stream, Z_FINISH)
      let made = expected + 1 - Int(stream.avail_out)
      isWhole = status == Z_STREAM_END && made == expected && stream.avail_in == 0
    }
    count = isWhole ? expected : 0
  }
  return isWhole ? result : nil
}
