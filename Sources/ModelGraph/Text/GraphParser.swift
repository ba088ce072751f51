public import Diagnostics

/// Reads the text form of graphs and recipes into syntax; one grammar for both.
public struct GraphParser {
  /// How deep lists, calls and loops may nest: more than anyone writes, and far from the end of the stack.
  private static let greatestDepth = 16

  private let tokens: [GraphToken]
  private var index = 0
  private var depth = 0

  /// Starts with a text.
  /// - Throws: `.badInput` with the line of what cannot be read.
  public init(_ text: String) throws(StyleModelError) {
    var lexer = GraphLexer(text)
    tokens = try lexer.tokens()
  }

  /// All blocks of the text.
  /// - Throws: `.badInput` with the line of what cannot be read.
  public mutating func blocks() throws(StyleModelError) -> [GraphSyntax.Block] {
    var result: [GraphSyntax.Block] = []
    while current.kind != .end {
      let line = current.line
      let kind = try word("'graph' or 'recipe'")
      guard kind == "graph" || kind == "recipe" else {
        throw unexpected("'graph' or 'recipe'", at: index - 1)
      }
      var name = ""
      if case .string(let text) = current.kind {
        name = text
        index += 1
      }
      result.append(GraphSyntax.Block(kind: kind, name: name, statements: try body(), line: line))
    }
    return result
  }

  private var current: GraphToken { tokens[min(index, tokens.count - 1)] }

  private mutating func body() throws(StyleModelError) -> [GraphSyntax.Statement] {
    try deeper()
    defer { depth -= 1 }
    try expect("{")
    var result: [GraphSyntax.Statement] = []
    while current.kind != .punctuation("}") { result.append(try statement()) }
    index += 1
    return result
  }

  private mutating func statement() throws(StyleModelError) -> GraphSyntax.Statement {
    let line = current.line
    if case .value(let name) = current.kind {
      index += 1
      try expect("=")
      return .assign(name, try call())
    }
    let keyword = try word("a statement")
    switch keyword {
    case "input":
      let value = try valueName()
      guard case .string(let name) = current.kind else { return .input(value, name: nil, line: line) }
      index += 1
      return .input(value, name: name, line: line)
    case "output": return .output(try valueName(), line: line)
    case "pixels":
      index -= 1
      return .pixels(try call())
    case "styles":
      index -= 1
      return .styles(try call())
    case "block":
      let name = try word("a name for the block")
      let parameters = try parameters()
      return .block(name, parameters: parameters, body: try body(), line: line)
    case "use": return .use(try call())
    case "repeat":
      let variable = try word("a name to count with")
      try keywordExpected("from")
      guard case .integer(let first) = current.kind, first >= 0, first < 1 << 20 else {
        throw unexpected("a number to start from")
      }
      index += 1
      try keywordExpected("while")
      let key = try string("a key in quotes")
      try keywordExpected("exists")
      return .loop(variable: variable, from: first, key: key, body: try body(), line: line)
    default: return .setting(keyword, try string("a text in quotes after '\(keyword)'"), line: line)
    }
  }

  private mutating func parameters() throws(StyleModelError) -> [GraphSyntax.Parameter] {
    try expect("(")
    var result: [GraphSyntax.Parameter] = []
    while current.kind != .punctuation(")") {
      if !result.isEmpty { try expect(",") }
      if case .value(let name) = current.kind {
        index += 1
        result.append(.value(name))
      } else {
        result.append(.word(try word("a parameter such as %x or p")))
      }
    }
    index += 1
    return result
  }

  private mutating func call() throws(StyleModelError) -> GraphSyntax.Call {
    try deeper()
    defer { depth -= 1 }
    let line = current.line
    let name = try word("the name of an operation")
    try expect("(")
    var arguments: [GraphSyntax.Argument] = []
    while current.kind != .punctuation(")") {
      if !arguments.isEmpty { try expect(",") }
      var label = ""
      if case .word(let text) = current.kind,
        tokens[min(index + 1, tokens.count - 1)].kind == .punctuation(":")
      {
        label = text
        index += 2
      }
      arguments.append(GraphSyntax.Argument(label: label, expression: try expression()))
    }
    index += 1
    return GraphSyntax.Call(name: name, arguments: arguments, line: line)
  }

  private mutating func expression() throws(StyleModelError) -> GraphSyntax.Expression {
    try deeper()
    defer { depth -= 1 }
    switch current.kind {
    case .value(let name):
      index += 1
      return .value(name)
    case .key(let first):
      index += 1
      var keys = [first]
      while current.kind == .punctuation("|") {
        index += 1
        guard case .key(let other) = current.kind else { throw unexpected("another key") }
        keys.append(other)
        index += 1
      }
      return .key(keys)
    case .integer(let value):
      index += 1
      return .integer(value)
    case .number(let value):
      index += 1
      return .number(value)
    case .string(let text):
      index += 1
      return .string(text)
    case .punctuation("["):
      index += 1
      var items: [GraphSyntax.Expression] = []
      while current.kind != .punctuation("]") {
        if !items.isEmpty { try expect(",") }
        items.append(try expression())
      }
      index += 1
      return .list(items)
    case .word(let text):
      if tokens[min(index + 1, tokens.count - 1)].kind == .punctuation("(") { return .call(try call()) }
      index += 1
      return .word(text)
    default: throw unexpected("a value")
    }
  }

  private mutating func deeper() throws(StyleModelError) {
    depth += 1
    guard depth <= Self.greatestDepth else {
      throw StyleModelError(.badInput, place: "line \(current.line)", "is nested too deep")
    }
  }

  private mutating func word(_ wanted: String) throws(StyleModelError) -> String {
    guard case .word(let text) = current.kind else { throw unexpected(wanted) }
    index += 1
    return text
  }

  private mutating func keywordExpected(_ keyword: String) throws(StyleModelError) {
    guard current.kind == .word(keyword) else { throw unexpected("'\(keyword)'") }
    index += 1
  }

  private mutating func string(_ wanted: String) throws(StyleModelError) -> String {
    guard case .string(let text) = current.kind else { throw unexpected(wanted) }
    index += 1
    return text
  }

  private mutating func valueName() throws(StyleModelError) -> String {
    guard case .value(let name) = current.kind else { throw unexpected("a value such as %x") }
    index += 1
    return name
  }

  private mutating func expect(_ character: Character) throws(StyleModelError) {
    guard current.kind == .punctuation(character) else { throw unexpected("'\(character)'") }
    index += 1
  }

  private func unexpected(_ wanted: String, at position: Int? = nil) -> StyleModelError {
    let token = tokens[min(position ?? index, tokens.count - 1)]
    let found =
      switch token.kind {
      case .word(let text): "'\(text)'"
      case .integer(let value): "'\(value)'"
      case .number(let value): "'\(value)'"
      case .value(let name): "'%\(name)'"
      case .key(let key): "'@\"\(key)\"'"
      case .string(let text): "\"\(text)\""
      case .punctuation(let character): "'\(character)'"
      case .end: "the end of the text"
      }
    return StyleModelError(
      .badInput, place: "line \(token.line)", "\(found) stands where \(wanted) is wanted")
  }
}
