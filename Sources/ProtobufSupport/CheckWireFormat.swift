public import CSchemas
public import Diagnostics

/// How much a protobuf message from a file is trusted.
public struct ProtobufLimits: Sendable {
  /// How deep messages may be nested; the outermost is at depth 1.
  public var depth: Int
  /// How many bytes of memory each byte of a message may cost when it is unpacked. Real messages take less than 30.
  public var memoryPerByte: Int

  /// Creates limits.
  public init(depth: Int = 64, memoryPerByte: Int = 64) {
    self.depth = depth
    self.memoryPerByte = memoryPerByte
  }
}

/// Walks a message in protobuf's wire format before protobuf-c sees it: protobuf-c recurses as deep as the bytes say, and
/// a few kilobytes are enough to overflow its stack.
///
/// Checked is that every field lies within its message, has the wire type that the schema gives it and stands once unless
/// it is repeated; that text is UTF-8 without NUL (protobuf-c would cut it there); and that messages are not nested too
/// deep. Fields that the schema does not know are skipped, and never descended into.
/// - Parameters:
///   - descriptor: the schema of the message, as protoc-c generates it.
///   - start: where the message begins in its file, for error messages.
/// - Throws: `.badInput` with the offset of what is wrong.
public func checkWireFormat(
  _ bytes: UnsafeRawBufferPointer, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>,
  limits: ProtobufLimits = ProtobufLimits(), at start: Int = 0
) throws(StyleModelError) {
  var walker = WireWalker(bytes: bytes, start: start, limits: limits)
  try walker.walk(descriptor)
}

/// The walk, with a stack of its own in place of recursion.
private struct WireWalker {
  /// A message that is being walked.
  struct Frame {
    let descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    let end: Int
    /// Where the marks of this message's fields begin in `seen`.
    let firstMark: Int
  }

  let bytes: UnsafeRawBufferPointer
  let start: Int
  let limits: ProtobufLimits
  private var position = 0
  private var frames: [Frame] = []
  private var seen: [Bool] = []

  init(bytes: UnsafeRawBufferPointer, start: Int, limits: ProtobufLimits) {
    self.bytes = bytes
    self.start = start
    self.limits = limits
  }

  mutating func walk(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>) throws(StyleModelError) {
    try enter(descriptor, end: bytes.count)
    while let frame = frames.last {
      if position == frame.end {
        frames.removeLast()
        seen.removeLast(seen.count - frame.firstMark)
      } else {
        try readField(frame)
      }
    }
  }

  private mutating func enter(
    _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, end: Int
  ) throws(StyleModelError) {
    guard frames.count < limits.depth else {
      throw problem("messages are nested more than \(limits.depth) deep")
    }
    frames.append(Frame(descriptor: descriptor, end: end, firstMark: seen.count))
    seen.append(contentsOf: repeatElement(false, count: Int(descriptor.pointee.n_fields)))
  }

  private mutating func readField(_ frame: Frame) throws(StyleModelError) {
    let tag = try varint(frame.end)
    guard tag >> 3 > 0, tag >> 3 < 1 << 29 else { throw problem("has a field with no valid number") }
    guard let type = WireType(rawValue: tag & 7) else {
      throw problem("has a field of wire type \(tag & 7), which is not in use")
    }
    let end: Int
    switch type {
    case .varint:
      _ = try varint(frame.end)
      end = position
    case .fixed64: end = try advanced(by: 8, frame.end)
    case .fixed32: end = try advanced(by: 4, frame.end)
    case .bytes:
      let length = try varint(frame.end)
      end = try advanced(by: length, frame.end)
    }
    if let index = fieldIndex(UInt32(tag >> 3), frame.descriptor) {
      try check(index, type, frame, end: end)
    } else {
      position = end
    }
  }

  /// Checks a field that the schema knows, and moves behind it or, if it is a message, into it.
  private mutating func check(
    _ index: Int, _ type: WireType, _ frame: Frame, end: Int
  ) throws(StyleModelError) {
    let field = frame.descriptor.pointee.fields[index]
    let isRepeated = field.label == PROTOBUF_C_LABEL_REPEATED
    let name = field.name.map { String(cString: $0) } ?? "\(field.id)"
    let expected = WireType(of: field.type)
    guard type == expected || isRepeated && type == .bytes else {
      throw problem("has a field '\(name)' of the wrong wire type")
    }
    guard isRepeated || !seen[frame.firstMark + index] else { throw problem("says '\(name)' twice") }
    seen[frame.firstMark + index] = true
    switch field.type {
    case PROTOBUF_C_TYPE_MESSAGE:
      guard let descriptor = field.descriptor else { throw problem("'\(name)' has no schema") }
      try enter(descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self), end: end)
    case PROTOBUF_C_TYPE_STRING:
      let text = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
      guard !text.contains(0), String(validating: text, as: UTF8.self) != nil else {
        throw problem("'\(name)' is not text")
      }
      position = end
    default: position = end
    }
  }

  private func fieldIndex(
    _ number: UInt32, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  ) -> Int? {
    guard let fields = descriptor.pointee.fields else { return nil }
    var low = 0
    var high = Int(descriptor.pointee.n_fields)
    while low < high {
      let middle = (low + high) / 2
      if fields[middle].id < number { low = middle + 1 } else { high = middle }
    }
    return low < Int(descriptor.pointee.n_fields) && fields[low].id == number ? low : nil
  }

  private mutating func varint(_ end: Int) throws(StyleModelError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end {
      let byte = UInt64(bytes[position])
      position += 1
      guard shift < 63 || byte <= 1 else { break }
      value |= (byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw problem("a number does not end")
  }

  private func advanced(by count: UInt64, _ end: Int) throws(StyleModelError) -> Int {
    guard count <= UInt64(end - position) else {
      throw problem("a field reaches over the end of its message")
    }
    return position + Int(count)
  }

  private func problem(_ text: String) -> StyleModelError {
    StyleModelError(.badInput, place: "byte \(start + position)", text)
  }
}

/// How a field's extent is found.
private enum WireType: UInt64 {
  case varint = 0
  case fixed64 = 1
  case bytes = 2
  case fixed32 = 5

  init(of type: ProtobufCType) {
    switch type {
    case PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_FLOAT: self = .fixed32
    case PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_DOUBLE: self = .fixed64
    case PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_BYTES, PROTOBUF_C_TYPE_MESSAGE: self = .bytes
    default: self = .varint
    }
  }
}
