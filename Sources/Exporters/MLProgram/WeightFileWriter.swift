import MLProgramImporter

/// A file of weights as it grows: 64 bytes of header, then for each tensor its metadata and its numbers.
struct WeightFileWriter {
  private var body: [UInt8] = []
  private var count: UInt32 = 0

  /// Adds a tensor, and gives the offset that names it.
  /// - Parameter bits: how many bits of the bytes are numbers; those left over in the last byte are said to be padding.
  mutating func add(_ bytes: [UInt8], code: UInt32, bits: Int) -> Int {
    let alignment = WeightFileLayout.alignment
    let offset = alignment + body.count
    append(WeightFileLayout.sentinel)
    append(code)
    append(UInt64(bytes.count))
    append(UInt64(offset + alignment))
    append(UInt64(bytes.count * 8 - bits))
    body += [UInt8](repeating: 0, count: alignment - 32)
    body += bytes
    body += [UInt8](repeating: 0, count: (alignment - body.count % alignment) % alignment)
    count += 1
    return offset
  }

  /// The file.
  var bytes: [UInt8] {
    var header = WeightFileWriter()
    header.append(count)
    header.append(WeightFileLayout.version)
    header.body += [UInt8](repeating: 0, count: WeightFileLayout.alignment - header.body.count)
    return header.body + body
  }

  private mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { body += $0 }
  }
}
