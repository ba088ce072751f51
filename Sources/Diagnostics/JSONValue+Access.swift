/// What a document holds, for those who read one; nil where it is something else.
extension JSONValue {
  /// The value of an object's key.
  public subscript(key: String) -> JSONValue? { members?.first { $0.key == key }?.value }

  /// The members of an object, in the document's order.
  public var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// The items of an array.
  public var items: [JSONValue]? {
    guard case .array(let items) = self else { return nil }
    return items
  }

  /// A string's text.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// A whole number. `3.0` is none: files that mean a count write one.
  public var integer: Int? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// Any number.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// A truth value.
  public var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }
}
