import Diagnostics

/// One token of the text form, with the line it stands on.
struct GraphToken: Hashable {
  enum Kind: Hashable {
    case word(String)
    case integer(Int)
    case number(Float)
    /// `%name`.
    case value(String)
    /// `@"key"`.
    case key(String)
    case string(String)
    /// One of `( ) { } [ ] , : = |`.
    case punctuation(Character)
    case end
  }

  var kind: Kind
  var line: Int
}

/// Splits the text form of graphs and recipes into tokens. `//` starts a comment.
struct GraphLexer {
  private let characters: [Character]
  private var index = 0
  private var line = 1

  init(_ text: String) { characters = Array(text) }

  mutating func tokens() throws(StyleModelError) -> [GraphToken] {
    var result: [GraphToken] = []
    while let token = try next() { result.append(token) }
    return result + [GraphToken(kind: .end, line: line)]
  }

  private mutating func next() throws(StyleModelError) -> GraphToken? {
    skipBlanks()
    guard index < characters.count else { return nil }
    let start = line
    let character = characters[index]
    switch character {
    case "(", ")", "{", "}", "[", "]", ",", ":", "=", "|":
      index += 1
      return GraphToken(kind: .punctuation(character), line: start)
    case "%":
      index += 1
      let name = take { $0.isLetter || $0.isNumber || $0 == "_" }
      guard !name.isEmpty else { throw problem("'%' wants a name after it") }
      return GraphToken(kind: .value(name), line: start)
    case "@":
      index += 1
      guard index < characters.count, characters[index] == "\"" else {
        throw problem("'@' wants a key in quotes")
      }
      return GraphToken(kind: .key(try string()), line: start)
    case "\"": return GraphToken(kind: .string(try string()), line: start)
    case _ where character.isLetter || character == "_":
      return GraphToken(
        kind: .word(take { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }), line: start)
    case _ where character.isNumber || character == "-" || character == ".":
      let text = take { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "+" }
      if let integer = Int(text) { return GraphToken(kind: .integer(integer), line: start) }
      guard let number = Float(text), number.isFinite else { throw problem("'\(text)' is not a number") }
      return GraphToken(kind: .number(number), line: start)
    default: throw problem("'\(character)' has no meaning here")
    }
  }

  private mutating func skipBlanks() {
    while index < characters.count {
      if characters[index].isNewline {
        line += 1
        index += 1
      } else if characters[index].isWhitespace {
        index += 1
      } else if characters[index] == "/", index + 1 < characters.count, characters[index + 1] == "/" {
        while index < characters.count, !characters[index].isNewline { index += 1 }
      } else {
        return
      }
    }
  }

  private mutating func take(while belongs: (Character) -> Bool) -> String {
    let start = index
    while index < characters.count, belongs(characters[index]) { index += 1 }
    return String(characters[start..<index])
  }

  private mutating func string() throws(StyleModelError) -> String {
    var result = ""
    index += 1
    while index < characters.count, characters[index] != "\"", !characters[index].isNewline {
      if characters[index] == "\\", index + 1 < characters.count { index += 1 }
      result.append(characters[index])
      index += 1
    }
    guard index < characters.count, characters[index] == "\"" else {
      throw problem("a quotation mark is missing")
    }
    index += 1
    return result
  }

  private func problem(_ text: String) -> StyleModelError {
    StyleModelError(.badInput, place: "line \(line)", text)
  }
}
