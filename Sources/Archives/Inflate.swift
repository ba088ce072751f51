import CZlib

/// Inflates a raw deflate stream, or gives nil unless it makes just `size` bytes and ends with its input.
func inflate(_ input: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
  guard let inputCount = UInt32(exactly: input.count), let outputCount = UInt32(exactly: size) else {
    return nil
  }
  var stream = z_stream()
  guard
    inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
  else { return nil }
  defer { inflateEnd(&stream) }
  var isWhole = false
  let output = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    // zlib wants an address even for nothing.
    var nowhere: UInt8 = 0
    input.withUnsafeBufferPointer { source in
      withUnsafeMutablePointer(to: &nowhere) { nowhere in
        // zlib only reads through next_in.
        stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress) ?? nowhere
        stream.avail_in = inputCount
        stream.next_out = buffer.baseAddress ?? nowhere
        stream.avail_out = outputCount
        isWhole = CZlib.inflate(&stream, Z_FINISH) == Z_STREAM_END
      }
    }
    isWhole = isWhole && stream.avail_in == 0 && stream.avail_out == 0
    count = size - Int(stream.avail_out)
  }
  return isWhole ? output : nil
}

/// The CRC-32 of zip and PNG.
func crc32(of bytes: ArraySlice<UInt8>) -> UInt32 {
  bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32_z(0, $0.baseAddress, $0.count)) }
}
