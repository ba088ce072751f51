import Diagnostics
import ModelGraph

/// Puts a recipe's blocks where they are used, so that nothing after it has to know of blocks.
struct RecipeBlocks {
  /// More than any network has; blocks that use blocks could otherwise grow without end.
  private static let mostStatements = 20_000

  private struct Block {
    var parameters: [GraphSyntax.Parameter]
    /// The statements, blocks within already put in place.
    var body: [GraphSyntax.Statement]
  }

  private var blocks: [String: Block] = [:]
  private var count = 0

  /// The statements without any block: a block may use those that stand before it.
  /// - Throws: `.badInput` with the line of a block that is not there, or of arguments that do not fit it.
  static func expanded(_ statements: [GraphSyntax.Statement]) throws(StyleModelError) -> [GraphSyntax
    .Statement]
  {
    var expansion = RecipeBlocks()
    return try expansion.expand(statements)
  }

  private mutating func expand(
    _ statements: [GraphSyntax.Statement]
  ) throws(StyleModelError) -> [GraphSyntax.Statement] {
    var result: [GraphSyntax.Statement] = []
    for statement in statements {
      switch statement {
      case .block(let name, let parameters, let body, let line):
        guard blocks[name] == nil else { throw problem(line, "there are two blocks '\(name)'") }
        blocks[name] = Block(parameters: parameters, body: try expand(body))
      case .use(let call):
        guard let block = blocks[call.name] else {
          throw problem(call.line, "there is no block '\(call.name)' before this")
        }
        let arguments = try Substitution(block.parameters, call)
        count += block.body.count
        guard count <= Self.mostStatements else {
          throw problem(call.line, "the blocks grow beyond all measure")
        }
        result += block.body.map(arguments.applied)
      case .loop(let variable, let from, let key, let body, let line):
        result.append(.loop(variable: variable, from: from, key: key, body: try expand(body), line: line))
      case .assign, .input, .output, .pixels, .styles, .setting: result.append(statement)
      }
    }
    return result
  }

  private func problem(_ line: Int, _ text: String) -> StyleModelError {
    StyleModelError(.badInput, place: "line \(line)", text)
  }
}

/// What stands in place of a block's parameters.
private struct Substitution {
  private var values: [String: String] = [:]
  private var words: [String: GraphSyntax.Expression] = [:]

  init(_ parameters: [GraphSyntax.Parameter], _ call: GraphSyntax.Call) throws(StyleModelError) {
    let arguments = call.arguments.map(\.expression)
    guard arguments.count == parameters.count else {
      throw StyleModelError(
        .badInput, place: "line \(call.line)",
        "'\(call.name)' wants \(counted(parameters.count, "argument")), not \(arguments.count)")
    }
    for (parameter, argument) in zip(parameters, arguments) {
      switch (parameter, argument) {
      case (.value(let name), .value(let value)): values[name] = value
      case (.word(let name), .string), (.word(let name), .integer), (.word(let name), .number),
        (.word(let name), .word):
        words[name] = argument
      default:
        throw StyleModelError(
          .badInput, place: "line \(call.line)",
          "'\(call.name)' is given a value where a text or number is wanted, or the other way round")
      }
    }
  }

  func applied(to statement: GraphSyntax.Statement) -> GraphSyntax.Statement {
    switch statement {
    case .assign(let name, let call): .assign(values[name] ?? name, applied(to: call))
    case .loop(let variable, let from, let key, let body, let line):
      .loop(variable: variable, from: from, key: filled(key), body: body.map(applied), line: line)
    case .input, .output, .pixels, .styles, .setting, .block, .use: statement
    }
  }

  private func applied(to call: GraphSyntax.Call) -> GraphSyntax.Call {
    var result = call
    for index in result.arguments.indices {
      result.arguments[index].expression = applied(to: result.arguments[index].expression)
    }
    return result
  }

  private func applied(to expression: GraphSyntax.Expression) -> GraphSyntax.Expression {
    switch expression {
    case .value(let name): .value(values[name] ?? name)
    case .key(let patterns): .key(patterns.map(filled))
    case .word(let name): words[name] ?? expression
    case .list(let items): .list(items.map(applied))
    case .call(let call): .call(applied(to: call))
    case .integer, .number, .string: expression
    }
  }

  /// The key with each `{name}` replaced by what is given for it: a text, or the name of a parameter further out. What
  /// is put in is not looked at again.
  private func filled(_ key: String) -> String {
    var result = ""
    var rest = key[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result += rest[..<open]
      switch words[String(rest[rest.index(after: open)..<close])] {
      case .string(let given): result += given
      case .word(let outer): result += "{\(outer)}"
      default: result += rest[open...close]
      }
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}
