extension FileKind {
  /// Tells ONNX from Core ML, neither of which has a magic, by the numbers of the outermost fields.
  ///
  /// Both open with a small version number as field 1. An ONNX `ModelProto` then has its graph as field 7 and
  /// nothing above 25; a Core ML `Model` has its description as field 2 and its type as one of 200 and above.
  static func protobufKind(_ bytes: [UInt8]) -> FileKind? {
    var cursor = ByteCursor(bytes[...])
    guard let first = cursor.integer(UInt8.self), first == 0x08, let version = varint(&cursor),
      (1...100).contains(version)
    else { return nil }
    var hasGraph = false
    var fields = 1
    while cursor.remaining > 0, fields < 1000 {
      guard let tag = varint(&cursor) else { return nil }
      let field = tag >> 3
      if field >= 200, field <= 3000, tag & 7 == 2 { return .coreML }
      guard field > 0, field <= 25 else { return nil }
      if field == 7, tag & 7 == 2 { hasGraph = true }
      fields += 1
      switch tag & 7 {
      case 0: guard varint(&cursor) != nil else { return nil }
      case 1: guard cursor.take(8) != nil else { return nil }
      case 2:
        guard let length = varint(&cursor), let count = Int(exactly: length) else { return nil }
        // A file cut short ends inside its graph, and is still ONNX.
        guard cursor.take(count) != nil else { return hasGraph ? .onnx : nil }
      case 5: guard cursor.take(4) != nil else { return nil }
      default: return nil
      }
    }
    return hasGraph ? .onnx : nil
  }

  private static func varint(_ cursor: inout ByteCursor) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = cursor.integer(UInt8.self) else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
