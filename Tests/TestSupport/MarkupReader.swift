/// A strict reader for the XML and HTML that the library writes: whatever it does not expect is an error.
///
/// Elements must be closed in order, attributes quoted and given once, entities known. HTML adds elements without an
/// end, attributes without a value, and the raw texts of `script` and `style`.
public struct MarkupReader {
  /// An element, or a text.
  public enum Node {
    case element(Element)
    case text(String)
  }

  /// An element with what it holds.
  public struct Element {
    /// The name of its tag.
    public var name: String
    /// Its attributes, their entities replaced.
    public var attributes: [String: String] = [:]
    /// What it holds, in order.
    public var children: [Node] = []

    /// All text within, entities replaced.
    public var text: String {
      children.map { child in
        switch child {
        case .element(let element): element.text
        case .text(let text): text
        }
      }.joined()
    }

    /// The elements of a name within, at any depth, in order.
    public func all(_ name: String) -> [Element] {
      children.flatMap { child -> [Element] in
        guard case .element(let element) = child else { return [] }
        return (element.name == name ? [element] : []) + element.all(name)
      }
    }
  }

  /// Why a document is refused, and where.
  public struct Failure: Error, CustomStringConvertible {
    /// The problem, and what stands there.
    public var description: String
  }

  private static let endless: Set<String> = ["meta", "img", "br", "wbr", "input", "link", "hr"]
  private static let raw: Set<String> = ["script", "style"]

  private var rest: Substring
  private let isHTML: Bool

  private init(_ text: String, isHTML: Bool) {
    rest = text[...]
    self.isHTML = isHTML
  }

  /// The root element of an XML document.
  public static func xml(_ text: String) throws -> Element {
    var reader = MarkupReader(text, isHTML: false)
    if reader.take("<?xml") { _ = try reader.upTo("?>") }
    return try reader.document()
  }

  /// The root element of an HTML document.
  public static func html(_ text: String) throws -> Element {
    var reader = MarkupReader(text, isHTML: true)
    guard reader.take("<!DOCTYPE html>") else { throw reader.failure("no document type") }
    return try reader.document()
  }

  private mutating func document() throws -> Element {
    rest = rest.drop(while: \.isWhitespace)
    guard take("<") else { throw failure("no element") }
    let root = try element()
    guard rest.allSatisfy(\.isWhitespace) else { throw failure("something after the end") }
    return root
  }

  /// An element whose `<` has been read.
  private mutating func element() throws -> Element {
    var element = Element(name: try name())
    while true {
      let hadSpace = rest.first?.isWhitespace ?? false
      rest = rest.drop(while: \.isWhitespace)
      if take("/>") {
        return element
      }
      if take(">") { break }
      guard hadSpace else { throw failure("no space before an attribute of \(element.name)") }
      let key = try name()
      var value = ""
      if take("=") {
        guard take("\"") else { throw failure("\(key) is not quoted") }
        value = try decoded(upTo("\""))
      } else if !isHTML {
        throw failure("\(key) has no value")
      }
      guard element.attributes.updateValue(value, forKey: key) == nil else {
        throw failure("\(key) is given twice")
      }
    }
    if isHTML, Self.endless.contains(element.name) { return element }
    if isHTML, Self.raw.contains(element.name) {
      element.children = [.text(try upTo("</\(element.name)>"))]
      return element
    }
    while true {
      let text = String(rest.prefix { $0 != "<" })
      rest = rest.dropFirst(text.count)
      if !text.isEmpty { element.children.append(.text(try decoded(text))) }
      if take("</") {
        guard take(element.name + ">") else { throw failure("\(element.name) is not closed") }
        return element
      }
      guard take("<") else { throw failure("\(element.name) has no end") }
      element.children.append(.element(try self.element()))
    }
  }

  private mutating func name() throws -> String {
    let name = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-:".contains($0)) })
    guard !name.isEmpty else { throw failure("a name is missing") }
    rest = rest.dropFirst(name.count)
    return name
  }

  private func decoded(_ text: String) throws -> String {
    var result = ""
    var text = text[...]
    while let character = text.popFirst() {
      switch character {
      case "<", ">": throw failure("\(character) stands for itself")
      case "&":
        let entity = text.prefix { $0 != ";" }
        text = text.dropFirst(entity.count + 1)
        guard let meaning = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'"][String(entity)]
        else {
          throw failure("&\(entity.prefix(10)) is no entity")
        }
        result += meaning
      default:
        guard character.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\n" || $0 == "\t" }) else {
          throw failure("a control character")
        }
        result.append(character)
      }
    }
    return result
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }

  private mutating func upTo(_ end: String) throws -> String {
    var part = ""
    while !rest.isEmpty {
      if take(end) { return part }
      if let next = rest.popFirst() { part.append(next) }
    }
    throw failure("\(end) is missing")
  }

  private func failure(_ problem: String) -> Failure {
    Failure(description: "\(problem), before: \(rest.prefix(60))")
  }
}
