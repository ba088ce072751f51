/// Writes a message in protobuf's wire format, field by field. Fields come out in the order of the calls, so the same
/// calls give the same bytes.
public struct ProtobufWriter {
  /// What has been written.
  public private(set) var bytes: [UInt8] = []

  /// Starts an empty message.
  public init() {}

  /// Writes an unsigned number, a truth value or a word of an enumeration.
  public mutating func number(_ field: Int, _ value: some BinaryInteger) {
    tag(field, wireType: 0)
    varint(UInt64(truncatingIfNeeded: value))
  }

  /// Writes a `fixed32`.
  public mutating func fixed32(_ field: Int, _ value: UInt32) {
    tag(field, wireType: 5)
    append(value)
  }

  /// Writes a `float`.
  public mutating func float(_ field: Int, _ value: Float) { fixed32(field, value.bitPattern) }

  /// Writes a text.
  public mutating func text(_ field: Int, _ value: String) { block(field, value.utf8) }

  /// Writes bytes.
  public mutating func block(_ field: Int, _ value: some Collection<UInt8>) {
    tag(field, wireType: 2)
    varint(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  /// Writes a message within this one.
  public mutating func message(_ field: Int, _ write: (inout ProtobufWriter) -> Void) {
    var inner = ProtobufWriter()
    write(&inner)
    block(field, inner.bytes)
  }

  /// Writes fields that were written already, by another writer.
  public mutating func append(_ fields: [UInt8]) { bytes += fields }

  /// Writes packed floats; none at all when the list is empty.
  public mutating func floats(_ field: Int, _ values: [Float]) {
    packed(field, values) { $0.append($1.bitPattern) }
  }

  /// Writes packed unsigned numbers.
  public mutating func numbers(_ field: Int, _ values: [Int]) {
    packed(field, values) { $0.varint(UInt64(truncatingIfNeeded: $1)) }
  }

  /// Writes packed `sint64`s, zigzag: 0, −1, 1, −2 … become 0, 1, 2, 3 …
  public mutating func signedNumbers(_ field: Int, _ values: [Int]) {
    packed(field, values) { $0.varint(UInt64(bitPattern: Int64($1 << 1 ^ $1 >> 63))) }
  }

  private mutating func packed<Value>(
    _ field: Int, _ values: [Value], _ write: (inout ProtobufWriter, Value) -> Void
  ) {
    guard !values.isEmpty else { return }
    message(field) { inner in
      for value in values { write(&inner, value) }
    }
  }

  private mutating func tag(_ field: Int, wireType: UInt64) { varint(UInt64(field) << 3 | wireType) }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func append(_ value: UInt32) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
