import Diagnostics

/// The first 28 bytes of a file. All numbers are 32 bits, little-endian.
///
///     0   89 53 54 59 4C 45 0D 0A    \x89STYLE\r\n
///     8   version
///     12  required features, a bit each
///     16  length of the header as it is stored
///     20  length of the header when it is unfolded; the same where it is stored raw
///     24  CRC-32 of bytes 8 to 23 and of the header as it is stored
struct Preamble {
  /// Not ASCII at first, so that no text begins like this; the line end shows files mangled as text.
  static let magic: [UInt8] = [0x89] + Array("STYLE\r\n".utf8)
  static let length = 28
  static let version: UInt32 = 1
  /// Real headers are a few kilobytes.
  static let greatestHeaderLength = 1 << 20

  /// The bytes that the checksum covers, beside the header.
  static let fields = 8..<24

  /// The features that the file requires.
  var features: RequiredFeatures
  var headerLength: Int
  var rawHeaderLength: Int
  var checksum: UInt32

  /// The bytes that are written before a stored header, the checksum included.
  static func bytes(storedHeader: [UInt8], rawLength: Int, features: RequiredFeatures) -> [UInt8] {
    var bytes = magic
    appendWord(version, to: &bytes)
    appendWord(features.rawValue, to: &bytes)
    appendWord(UInt32(storedHeader.count), to: &bytes)
    appendWord(UInt32(rawLength), to: &bytes)
    let checksum = checksum(fields: bytes[fields], header: storedHeader[...])
    appendWord(checksum, to: &bytes)
    return bytes
  }

  static func checksum(fields: ArraySlice<UInt8>, header: ArraySlice<UInt8>) -> UInt32 {
    crc32(header, after: crc32(fields))
  }

  /// Reads the beginning of a file.
  /// - Throws: `.badInput` when it is none of ours, too new, or too short.
  init(_ bytes: [UInt8]) throws(StyleModelError) {
    guard bytes.starts(with: Preamble.magic) else { throw Preamble.notOurs(bytes) }
    guard bytes.count >= Preamble.length else {
      throw StyleModelError(
        .badInput, "ends within its first \(Preamble.length) bytes", remedy: "copy the file again")
    }
    func word(_ offset: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
    }
    let version = word(8)
    guard version == Preamble.version else {
      throw StyleModelError(
        .badInput, "is a .stylemodel of version \(version); this program reads version \(Preamble.version)",
        remedy: "update stylemodel, or convert the source again")
    }
    let unknown = word(12) & ~RequiredFeatures.known.rawValue
    guard unknown == 0 else {
      throw StyleModelError(
        .badInput,
        "requires the feature of bit \(unknown.trailingZeroBitCount), which this program does not know",
        remedy: "update stylemodel")
    }
    let length = Int(word(16))
    let rawLength = Int(word(20))
    guard rawLength <= Preamble.greatestHeaderLength else {
      throw StyleModelError(
        .badInput, place: "byte 20",
        "has a header of \(byteSize(rawLength)); \(byteSize(Preamble.greatestHeaderLength)) is the most that is read"
      )
    }
    guard length <= rawLength, rawLength <= TensorEntry.greatestRawLength(storedLength: length) else {
      throw StyleModelError(
        .badInput, place: "byte 16",
        "has a header that claims to unfold from \(grouped(length)) to \(grouped(rawLength)) bytes, which is not allowed"
      )
    }
    guard length <= bytes.count - Preamble.length else {
      throw StyleModelError(
        .badInput, "ends within its header", remedy: "the file is cut short; copy it again")
    }
    features = RequiredFeatures(rawValue: word(12))
    headerLength = length
    rawHeaderLength = rawLength
    checksum = word(24)
  }

  private static func notOurs(_ bytes: [UInt8]) -> StyleModelError {
    let name = Array("STYLE".utf8)
    if bytes.dropFirst().starts(with: name) || bytes.starts(with: [0xef, 0xbf, 0xbd] + name) {
      return StyleModelError(
        .badInput, "was a .stylemodel until something took it for text and changed its bytes",
        remedy: "transfer it again as a binary file")
    }
    return StyleModelError(
      .badInput, "is not a .stylemodel file", remedy: "make one with: stylemodel convert")
  }
}

/// Appends four bytes, little-endian.
func appendWord(_ value: UInt32, to bytes: inout [UInt8]) {
  withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
}
