/// A place in some bytes, moving forwards; every read is checked against what is left.
public struct ByteCursor: Sendable {
  /// What is read.
  public let bytes: ArraySlice<UInt8>
  /// The index in `bytes` of the next byte to be read.
  public private(set) var position: Int

  /// Creates a cursor at the start of `bytes`.
  public init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    self.position = bytes.startIndex
  }

  /// The number of bytes not read yet.
  public var remaining: Int { bytes.endIndex - position }

  /// The next little-endian integer, or nil when fewer bytes are left than it takes.
  public mutating func integer<T: FixedWidthInteger>(_: T.Type) -> T? {
    let size = T.bitWidth / 8
    guard remaining >= size else { return nil }
    defer { position += size }
    return bytes.withUnsafeBytes { raw in
      T(littleEndian: raw.loadUnaligned(fromByteOffset: position - bytes.startIndex, as: T.self))
    }
  }

  /// The next `count` bytes, or nil when fewer are left or the count is negative.
  public mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= remaining else { return nil }
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  /// The next bytes up to a line feed, which is passed over, or nil when there is none.
  public mutating func line() -> ArraySlice<UInt8>? {
    guard let end = bytes[position...].firstIndex(of: 0x0A) else { return nil }
    defer { position = end + 1 }
    return bytes[position..<end]
  }
}
