/// A value of a JSON document with its place in it, so that what is not as it should be can be named.
public struct JSONPlace: Sendable {
  /// The value.
  public let value: JSONValue
  private let trail: Trail
  /// What the user can do about a document that is not as it should be.
  private let remedy: String

  /// The way to a value. It is put into words only when they are wanted: documents have millions of values.
  private indirect enum Trail: Sendable {
    case document
    case key(String, in: Trail)
    case item(Int, in: Trail)

    var path: String {
      switch self {
      case .document: ""
      case .key(let key, let trail):
        if case .document = trail { key } else { "\(trail.path).\(key)" }
      case .item(let index, let trail): "\(trail.path)[\(index)]"
      }
    }
  }

  /// The document itself.
  public init(_ document: JSONValue, remedy: String) { self.init(document, .document, remedy) }

  private init(_ value: JSONValue, _ trail: Trail, _ remedy: String) {
    self.value = value
    self.trail = trail
    self.remedy = remedy
  }

  /// Where it is: `models[0].pictures[2].ssim`; empty for the document itself.
  public var path: String { trail.path }

  /// Whether it is `null`.
  public var isNull: Bool { value == .null }

  /// A key's value; nil where there is no such key.
  public func optional(_ key: String) -> JSONPlace? {
    value[key].map { JSONPlace($0, .key(key, in: trail), remedy) }
  }

  /// A key's value.
  /// - Throws: `.badInput` when it is no object, or lacks the key; so do the other readers.
  public func member(_ key: String) throws(StyleModelError) -> JSONPlace {
    guard value.members != nil else { throw wanted("an object") }
    guard let member = optional(key) else { throw problem("has no '\(key)'") }
    return member
  }

  /// The items of an array.
  public func items() throws(StyleModelError) -> [JSONPlace] {
    guard let items = value.items else { throw wanted("an array") }
    return items.enumerated().map { JSONPlace($1, .item($0, in: trail), remedy) }
  }

  /// A string.
  public func text() throws(StyleModelError) -> String {
    guard let text = value.string else { throw wanted("a string") }
    return text
  }

  /// A number.
  public func number() throws(StyleModelError) -> Double {
    guard let number = value.number else { throw wanted("a number") }
    return number
  }

  /// A whole number from 0.
  public func count() throws(StyleModelError) -> Int {
    guard let count = value.integer, count >= 0 else { throw wanted("a whole number") }
    return count
  }

  /// A text, or nil where it is `null`.
  public func textOrNull() throws(StyleModelError) -> String? { isNull ? nil : try text() }

  /// A truth value.
  public func truth() throws(StyleModelError) -> Bool {
    guard let truth = value.bool else { throw wanted("true or false") }
    return truth
  }

  /// The error that this is not what is wanted: `a number`.
  public func wanted(_ what: String) -> StyleModelError { problem("is not \(what)") }

  /// An error about this place.
  public func problem(_ text: String) -> StyleModelError {
    StyleModelError(.badInput, place: path.isEmpty ? "document" : path, text, remedy: remedy)
  }
}
