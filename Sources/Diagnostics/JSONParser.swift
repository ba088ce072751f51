extension JSONValue {
  /// What a document may ask for before it is refused. The defaults hold any model's configuration and keep a hostile
  /// document from taking more than a few dozen times its own size in memory.
  public struct Limits: Hashable, Sendable {
    /// How deep arrays and objects may nest.
    public var depth: Int
    /// How long the document may be, in bytes.
    public var byteCount: Int
    /// How many values it may hold, keys not counted.
    public var valueCount: Int

    /// Creates limits.
    public init(depth: Int = 128, byteCount: Int = 100_000_000, valueCount: Int = 1 << 21) {
      self.depth = depth
      self.byteCount = byteCount
      self.valueCount = valueCount
    }
  }

  /// Reads a document by the letter of RFC 8259: UTF-8 without a byte order mark, no key twice in one object, no lone
  /// surrogates, no `NaN`, no comments, nothing but white space around the one value.
  ///
  /// Whole numbers that fit an `Int` become `.integer`, all others `.number`; one too large for a `Double` is
  /// refused, not turned into infinity.
  /// - Parameters:
  ///   - bytes: the document.
  ///   - place: what errors call it: `header`. They add the byte, counted from the document's start.
  ///   - limits: what it may ask for.
  /// - Throws: `.badInput` with the byte of what is wrong, without a file or a remedy.
  public init(
    parsing bytes: ArraySlice<UInt8>, place: String? = nil, limits: Limits = Limits()
  ) throws(StyleModelError) {
    var parser = JSONParser(bytes: bytes, place: place, limits: limits)
    self = try parser.document()
  }
}

/// One pass over a JSON document, a byte at a time.
private struct JSONParser {
  private let bytes: ArraySlice<UInt8>
  private let place: String?
  private let limits: JSONValue.Limits
  private var position: Int
  private var valueCount = 0

  init(bytes: ArraySlice<UInt8>, place: String?, limits: JSONValue.Limits) {
    self.bytes = bytes
    self.place = place
    self.limits = limits
    position = bytes.startIndex
  }

  mutating func document() throws(StyleModelError) -> JSONValue {
    guard bytes.count <= limits.byteCount else {
      throw error("is \(byteSize(bytes.count)) of JSON; up to \(byteSize(limits.byteCount)) are read")
    }
    let value = try value(depth: 0)
    skipSpace()
    guard position == bytes.endIndex else { throw error("goes on behind the end of the document") }
    return value
  }

  private mutating func value(depth: Int) throws(StyleModelError) -> JSONValue {
    valueCount += 1
    guard valueCount <= limits.valueCount else {
      throw error("holds more than \(grouped(limits.valueCount)) values")
    }
    skipSpace()
    switch peek ?? 0 {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw unexpected("a value")
    }
  }

  // MARK: Containers

  private mutating func object(depth: Int) throws(StyleModelError) -> JSONValue {
    try open(depth: depth)
    var members: [JSONValue.Member] = []
    var keys: Set<String> = []
    if skip(UInt8(ascii: "}")) { return .object([]) }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
      let start = position
      let key = try string()
      guard keys.insert(key).inserted else {
        position = start
        throw error("has the key '\(printable(key, limit: 120))' twice in one object")
      }
      guard skip(UInt8(ascii: ":")) else { throw unexpected("':'") }
      members.append(JSONValue.Member(key, try value(depth: depth + 1)))
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { throw unexpected("',' or '}'") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(StyleModelError) -> JSONValue {
    try open(depth: depth)
    var items: [JSONValue] = []
    if skip(UInt8(ascii: "]")) { return .array([]) }
    repeat { items.append(try value(depth: depth + 1)) } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { throw unexpected("',' or ']'") }
    return .array(items)
  }

  private mutating func open(depth: Int) throws(StyleModelError) {
    guard depth < limits.depth else { throw error("nests more than \(limits.depth) levels deep") }
    position += 1
  }

  // MARK: Strings

  private mutating func string() throws(StyleModelError) -> String {
    let start = position
    position += 1
    var text: [UInt8] = []
    var run = position
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        text += bytes[run..<position]
        guard let string = String(validating: text, as: UTF8.self) else {
          position = start
          throw error("has a string that is not UTF-8")
        }
        position += 1
        return string
      case UInt8(ascii: "\\"):
        text += bytes[run..<position]
        text += UTF8.encode(try escape()).map { Array($0) } ?? []
        run = position
      case ..<0x20: throw error("has a bare control character in a string")
      default: position += 1
      }
    }
    throw unexpected("the end of a string")
  }

  private mutating func escape() throws(StyleModelError) -> Unicode.Scalar {
    position += 1
    guard let letter = peek else { throw unexpected("the rest of an escape") }
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let start = position
      let unit = try codeUnit()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // The scalars beyond 16 bits come as two escapes, high surrogate first.
      if unit < 0xDC00, bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
        position += 2
        let low = UInt32(try codeUnit())
        if (0xDC00..<0xE000).contains(low),
          let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (low - 0xDC00))
        {
          return scalar
        }
      }
      position = start
      throw error("has half a surrogate pair in a string")
    default:
      position -= 1
      throw unexpected("one of \"\\/bfnrtu behind a backslash")
    }
  }

  private mutating func codeUnit() throws(StyleModelError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw unexpected("four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  // MARK: Numbers and words

  private mutating func number() throws(StyleModelError) -> JSONValue {
    let start = position
    var isWhole = true
    _ = skipByte(UInt8(ascii: "-"))
    if !skipByte(UInt8(ascii: "0")) { try digits() }
    if skipByte(UInt8(ascii: ".")) {
      isWhole = false
      try digits()
    }
    if skipByte(UInt8(ascii: "e")) || skipByte(UInt8(ascii: "E")) {
      isWhole = false
      if !skipByte(UInt8(ascii: "+")) { _ = skipByte(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, text != "-0", let integer = Int(text) { return .integer(integer) }
    guard let value = Double(text), value.isFinite else {
      position = start
      throw error("has a number that is too large")
    }
    return .number(value)
  }

  private mutating func digits() throws(StyleModelError) {
    let start = position
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    if position == start { throw unexpected("a digit") }
  }

  private mutating func word(_ text: StaticString, _ value: JSONValue) throws(StyleModelError) -> JSONValue {
    let isThere = text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    guard isThere else { throw unexpected("a value") }
    position += text.utf8CodeUnitCount
    return value
  }

  // MARK: Bytes

  private var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func skipByte(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  /// Skips white space and then `byte`, if that is what follows.
  private mutating func skip(_ byte: UInt8) -> Bool {
    skipSpace()
    return skipByte(byte)
  }

  private func unexpected(_ expected: String) -> StyleModelError {
    guard let byte = peek else { return error("ends where \(expected) should be") }
    let found =
      (0x21..<0x7F).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "0x" + String(byte, radix: 16)
    return error("has \(found) where \(expected) should be")
  }

  private func error(_ problem: String) -> StyleModelError {
    let byte = "byte \(grouped(position - bytes.startIndex))"
    return StyleModelError(.badInput, place: place.map { "\($0), \(byte)" } ?? byte, problem)
  }
}
