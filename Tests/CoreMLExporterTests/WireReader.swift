/// A protobuf message taken apart by hand, so that what is written is judged by its bytes.
struct WireMessage {
  enum Value: Hashable {
    case number(UInt64)
    case word(UInt32)
    case bytes([UInt8])
  }

  private(set) var fields: [(number: Int, value: Value)] = []

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    func varint() -> UInt64 {
      var result: UInt64 = 0
      var shift: UInt64 = 0
      while let byte = rest.popFirst() {
        result |= UInt64(byte & 0x7f) << shift
        shift += 7
        if byte < 0x80 { break }
      }
      return result
    }
    while !rest.isEmpty {
      let tag = varint()
      switch tag & 7 {
      case 0: fields.append((Int(tag >> 3), .number(varint())))
      case 5:
        let word = rest.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        rest = rest.dropFirst(4)
        fields.append((Int(tag >> 3), .word(word)))
      default:
        let count = Int(varint())
        fields.append((Int(tag >> 3), .bytes(Array(rest.prefix(count)))))
        rest = rest.dropFirst(count)
      }
    }
  }

  /// All values of a field.
  func all(_ number: Int) -> [Value] { fields.filter { $0.number == number }.map(\.value) }

  /// The messages in a field.
  func messages(_ number: Int) -> [WireMessage] {
    all(number).compactMap { if case .bytes(let bytes) = $0 { WireMessage(bytes) } else { nil } }
  }

  /// The message at a path of fields, each the first of its number; an empty one where there is none.
  func at(_ path: Int...) -> WireMessage {
    path.reduce(self) { $0.messages($1).first ?? WireMessage([]) }
  }

  func bytes(_ number: Int) -> [UInt8] {
    if case .bytes(let bytes)? = all(number).first { bytes } else { [] }
  }

  func text(_ number: Int) -> String { String(decoding: bytes(number), as: UTF8.self) }

  func texts(_ number: Int) -> [String] {
    all(number).compactMap {
      if case .bytes(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
  }

  /// A number, 0 where it is absent.
  func number(_ number: Int) -> Int {
    if case .number(let value)? = all(number).first { Int(truncatingIfNeeded: value) } else { 0 }
  }

  func float(_ number: Int) -> Float? {
    if case .word(let bits)? = all(number).first { Float(bitPattern: bits) } else { nil }
  }

  /// Packed floats.
  func floats(_ number: Int) -> [Float] {
    let bytes = bytes(number)
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      Float(bitPattern: bytes[start..<(start + 4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
  }

  /// Packed numbers, each less than 128.
  func smallNumbers(_ number: Int) -> [Int] { bytes(number).map(Int.init) }
}
