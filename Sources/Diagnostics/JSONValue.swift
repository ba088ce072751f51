/// A JSON document, written or read: object keys keep the order they were given in.
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  /// A number; not-a-number and infinities, which JSON cannot say, are written as `null`.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// One key of an object with its value.
  public struct Member: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The document on one line (`indented` false) or with two spaces a level, without a final newline.
  public func text(indented: Bool) -> String {
    var out = ""
    write(to: &out, indent: indented ? 0 : nil)
    return out
  }

  private func write(to out: inout String, indent: Int?) {
    switch self {
    case .null: out += "null"
    case .bool(let value): out += value ? "true" : "false"
    case .integer(let value): out += String(value)
    case .number(let value): out += value.isFinite ? Self.numberText(value) : "null"
    case .string(let value): out += Self.quoted(value)
    case .array(let items):
      Self.writeList(items, open: "[", close: "]", to: &out, indent: indent) { item, out, indent in
        item.write(to: &out, indent: indent)
      }
    case .object(let members):
      Self.writeList(members, open: "{", close: "}", to: &out, indent: indent) { member, out, indent in
        out += Self.quoted(member.key) + (indent == nil ? ":" : ": ")
        member.value.write(to: &out, indent: indent)
      }
    }
  }

  private static func writeList<Item>(
    _ items: [Item], open: String, close: String, to out: inout String, indent: Int?,
    item write: (Item, inout String, Int?) -> Void
  ) {
    out += open
    for (index, item) in items.enumerated() {
      if index > 0 { out += "," }
      if let indent { out += "\n" + String(repeating: "  ", count: indent + 1) }
      write(item, &out, indent.map { $0 + 1 })
    }
    if let indent, !items.isEmpty { out += "\n" + String(repeating: "  ", count: indent) }
    out += close
  }

  /// Swift writes the shortest text that reads back as the same number; `1.0` and `1e-05` are valid JSON.
  private static func numberText(_ value: Double) -> String { "\(value)" }

  private static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An integer.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object whose keys keep the order of the literal.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
