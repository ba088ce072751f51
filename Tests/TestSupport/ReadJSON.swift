public import Diagnostics

/// Reads a JSON document to the letter, so that a test can tell that other programs will.
/// - Throws: `.badInput` with the byte at which it is none.
public func readJSON(_ text: String) throws(StyleModelError) -> JSONValue {
  var reader = JSONReader(bytes: Array(text.utf8))
  let value = try reader.value()
  reader.skipBlanks()
  guard reader.position == reader.bytes.count else { throw reader.problem("goes on after its end") }
  return value
}

extension JSONValue {
  /// The value behind a path of keys (`"worst"`) and indices (`"0"`), or nil where there is none.
  public func at(_ path: String...) -> JSONValue? {
    path.reduce(self) { value, key in
      switch value {
      case .object(let members): members.first { $0.key == key }?.value
      case .array(let items): Int(key).flatMap { items.indices.contains($0) ? items[$0] : nil }
      default: nil
      }
    }
  }

  /// The keys of an object, in their order; none where it is something else.
  public var keys: [String] { if case .object(let members) = self { members.map(\.key) } else { [] } }
}

private struct JSONReader {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  func problem(_ text: String) -> StyleModelError {
    StyleModelError(.badInput, place: "byte \(position)", "the JSON " + text)
  }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skipBlanks() {
    while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
  }

  mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  mutating func value() throws(StyleModelError) -> JSONValue {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"):
      var members: [JSONValue.Member] = []
      try list(from: "{", to: "}") { (reader) throws(StyleModelError) in
        reader.skipBlanks()
        let key = try reader.string()
        guard !members.contains(where: { $0.key == key }) else { throw reader.problem("has '\(key)' twice") }
        reader.skipBlanks()
        guard reader.take(":") else { throw reader.problem("lacks a colon") }
        members.append(JSONValue.Member(key, try reader.value()))
      }
      return .object(members)
    case UInt8(ascii: "["):
      var items: [JSONValue] = []
      try list(from: "[", to: "]") { (reader) throws(StyleModelError) in items.append(try reader.value()) }
      return .array(items)
    case UInt8(ascii: "\""): return .string(try string())
    default:
      if take("null") { return .null }
      if take("true") { return .bool(true) }
      if take("false") { return .bool(false) }
      return try number()
    }
  }

  private mutating func list(
    from open: String, to close: String, item: (inout JSONReader) throws(StyleModelError) -> Void
  ) throws(StyleModelError) {
    _ = take(open)
    skipBlanks()
    if take(close) { return }
    repeat {
      try item(&self)
      skipBlanks()
    } while take(",")
    guard take(close) else { throw problem("lacks a '\(close)'") }
  }

  private mutating func number() throws(StyleModelError) -> JSONValue {
    let start = position
    while let byte = next, "+-.0123456789Ee".utf8.contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    let pattern = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
    guard text.wholeMatch(of: pattern) != nil, let value = Double(text) else {
      throw problem("has no number there")
    }
    return Int(text).map { .integer($0) } ?? .number(value)
  }

  private mutating func string() throws(StyleModelError) -> String {
    guard take("\"") else { throw problem("has no string there") }
    var result: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
      case ..<0x20: throw problem("has a control character in a string")
      case UInt8(ascii: "\\"): result += try escape()
      default: result.append(byte)
      }
    }
    throw problem("has a string without an end")
  }

  private mutating func escape() throws(StyleModelError) -> [UInt8] {
    let plain: [Character: UInt8] = [
      "\"": 0x22, "\\": 0x5C, "/": 0x2F, "b": 8, "f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 9,
    ]
    for (letter, byte) in plain where take(String(letter)) { return [byte] }
    guard take("u"), position + 4 <= bytes.count,
      let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(code)
    else { throw problem("has an escape that is none") }
    position += 4
    return Array(String(Character(scalar)).utf8)
  }
}
