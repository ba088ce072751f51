import Diagnostics

/// Whether checksums are looked at; a fuzzer cannot guess them and would never get behind them.
enum Checksums {
  case verify, ignore
}

/// A file taken apart: its header and where its payloads lie. Everything is checked but what the payloads hold.
struct FileLayout {
  /// Payloads begin at multiples of this: the widest number that a payload holds can be read in place, and the sixty
  /// tensors of a usual network waste 200 bytes. Kernels pack weights anew anyhow, so wider vectors gain nothing.
  static let alignment = 8

  let header: FileHeader
  let headerRange: Range<Int>
  /// One range a tensor, in the order of the table.
  let payloads: [Range<Int>]

  init(_ bytes: [UInt8], checksums: Checksums) throws(StyleModelError) {
    let preamble = try Preamble(bytes)
    headerRange = Preamble.length..<(Preamble.length + preamble.headerLength)
    let stored = bytes[headerRange]
    if checksums == .verify {
      guard Preamble.checksum(fields: bytes[Preamble.fields], header: stored) == preamble.checksum else {
        throw StyleModelError(
          .badInput, place: "header", "is damaged: its CRC-32 is wrong", remedy: "copy the file again")
      }
    }
    let isRaw = preamble.headerLength == preamble.rawHeaderLength
    guard let raw = isRaw ? Array(stored) : inflated(stored, count: preamble.rawHeaderLength) else {
      throw StyleModelError(
        .badInput, place: "header",
        "does not unfold to the \(grouped(preamble.rawHeaderLength)) bytes it states",
        remedy: "copy the file again")
    }
    let parsed: Result<FileHeader, StyleModelError> = raw.withUnsafeBytes { buffer in
      Result { () throws(StyleModelError) in try FileHeader(protobuf: buffer) }
    }
    header = try parsed.get()
    let missing = header.requiredFeatures.subtracting(preamble.features)
    guard missing.isEmpty else {
      throw StyleModelError(
        .badInput, place: "byte 12",
        "does not require the feature of bit \(missing.rawValue.trailingZeroBitCount), which it uses")
    }
    let idle = preamble.features.subtracting(header.requiredFeatures)
    guard idle.isEmpty else {
      throw StyleModelError(
        .badInput, place: "byte 12",
        "requires the feature of bit \(idle.rawValue.trailingZeroBitCount), which it does not use")
    }
    payloads = try FileLayout.payloads(header.tensors, after: headerRange.upperBound, in: bytes)
  }

  /// Where each payload lies: each begins at the first multiple of the alignment after what precedes it, zeros fill
  /// the gaps, and the file ends with the last.
  private static func payloads(
    _ tensors: [TensorEntry], after headerEnd: Int, in bytes: [UInt8]
  ) throws(StyleModelError) -> [Range<Int>] {
    var end = headerEnd
    var ranges: [Range<Int>] = []
    for tensor in tensors {
      let place = "tensor \(tensor.name)"
      let start = aligned(end)
      guard start <= bytes.count, tensor.storedLength <= bytes.count - start else {
        throw StyleModelError(
          .badInput, place: place,
          "takes \(grouped(tensor.storedLength)) bytes from byte \(grouped(start)) on, but the file has only \(grouped(bytes.count))",
          remedy: "the file is cut short; copy it again")
      }
      guard bytes[end..<start].allSatisfy({ $0 == 0 }) else {
        throw StyleModelError(.badInput, place: place, "is not preceded by zeros")
      }
      if tensor.compression != .raw,
        tensor.rawLength > TensorEntry.greatestRawLength(storedLength: tensor.storedLength)
      {
        throw StyleModelError(
          .badInput, place: place,
          "claims to unfold from \(grouped(tensor.storedLength)) to \(grouped(tensor.rawLength)) bytes, more than is allowed"
        )
      }
      end = start + tensor.storedLength
      ranges.append(start..<end)
    }
    guard end == bytes.count else {
      throw StyleModelError(
        .badInput, place: "byte \(grouped(end))", "has \(counted(bytes.count - end, "byte")) after its end",
        remedy: "copy the file again")
    }
    return ranges
  }

  /// The first multiple of the alignment that is not below an offset.
  static func aligned(_ offset: Int) -> Int { (offset + alignment - 1) / alignment * alignment }
}
