public import Diagnostics

/// Where the bytes of a `.stylemodel` file are. Everything adds up to the file's length exactly.
public struct StyleModelSizes: Hashable, Sendable {
  /// What one tensor takes.
  public struct Payload: Hashable, Sendable {
    /// The tensor's name.
    public var name: String
    /// The bytes in the file.
    public var storedByteCount: Int
    /// The bytes before compression: numbers, scales and offsets.
    public var rawByteCount: Int
    /// Whether the payload is compressed, by zlib or as coded integers.
    public var isCompressed: Bool
    /// Whether it is coded integers.
    public var isCoded: Bool
  }

  /// The bytes before the header.
  public var preambleByteCount: Int
  /// The graph, the tensor table, the contract and the provenance.
  public var headerByteCount: Int
  /// The zeros that align payloads.
  public var paddingByteCount: Int
  /// The tensors, in the file's order.
  public var payloads: [Payload]

  /// What all tensors take in the file.
  public var payloadByteCount: Int { payloads.reduce(0) { $0 + $1.storedByteCount } }

  /// What all tensors take before compression.
  public var rawByteCount: Int { payloads.reduce(0) { $0 + $1.rawByteCount } }

  /// The length of the file.
  public var totalByteCount: Int {
    preambleByteCount + headerByteCount + paddingByteCount + payloadByteCount
  }
}

/// Says where the bytes of a file are, from its header alone.
/// - Throws: `.badInput` as `decodeStyleModel` does for preambles, headers and tables.
public func styleModelSizes(of bytes: [UInt8]) throws(StyleModelError) -> StyleModelSizes {
  let layout = try FileLayout(bytes, checksums: .verify)
  let payloads = layout.header.tensors.map { entry in
    StyleModelSizes.Payload(
      name: entry.name, storedByteCount: entry.storedLength, rawByteCount: entry.rawLength,
      isCompressed: entry.compression != .raw, isCoded: entry.compression == .coded)
  }
  let headerLength = layout.headerRange.count
  var sizes = StyleModelSizes(
    preambleByteCount: Preamble.length, headerByteCount: headerLength, paddingByteCount: 0, payloads: payloads
  )
  sizes.paddingByteCount = bytes.count - sizes.totalByteCount
  return sizes
}
