public import Diagnostics
public import Tensors

extension Graph {
  /// Reads a graph from its text form.
  /// - Parameter constants: the weights that the text names, by name.
  /// - Throws: `.badInput` with the line of what is wrong, or what the verifier finds.
  public init(text: String, constants: [String: StoredTensor]) throws(StyleModelError) {
    var parser = try GraphParser(text)
    let blocks = try parser.blocks()
    guard blocks.count == 1, blocks[0].kind == "graph" else {
      throw StyleModelError(.badInput, "does not hold one graph { … }")
    }
    var builder = GraphBuilder(contract: PixelPreset.raw255.contract, allowsRebinding: false)
    for statement in blocks[0].statements {
      switch statement {
      case .assign(let name, let call):
        try builder.assign(name, try builder.operationCall(call, constants), line: call.line)
      case .input(let name, let title, let line): try builder.setInput(name, title: title, line: line)
      case .output(let name, let line): try builder.setOutput(name, line: line)
      case .pixels(let call): builder.setContract(try PixelContract(call))
      case .styles(let call): builder.setStyles(try StyleSet(call))
      case .setting(let word, _, let line), .loop(let word, _, _, _, let line),
        .block(let word, _, _, let line):
        throw StyleModelError(
          .badInput, place: "line \(line)", "'\(word)' belongs into a recipe, not into a graph")
      case .use(let call):
        throw StyleModelError(
          .badInput, place: "line \(call.line)", "'use' belongs into a recipe, not into a graph")
      }
    }
    self = try builder.finish(line: blocks[0].line)
  }
}

extension GraphBuilder {
  fileprivate mutating func operationCall(
    _ call: GraphSyntax.Call, _ constants: [String: StoredTensor]
  ) throws(StyleModelError) -> OperationCall {
    var result = OperationCall(call.name, operands: [])
    for argument in call.arguments {
      switch argument.expression {
      case .value(let name):
        result.operands.append(.init(role: argument.label, value: try value(name, line: call.line)))
      case .key(let keys) where keys.count == 1:
        guard let tensor = constants[keys[0]] else {
          throw StyleModelError(.badInput, place: "line \(call.line)", "there is no tensor '\(keys[0])'")
        }
        result.operands.append(.init(role: argument.label, value: constant(keys[0], tensor)))
      default:
        guard let value = argument.expression.attribute, !argument.label.isEmpty else {
          throw StyleModelError(
            .badInput, place: "line \(call.line)", "'\(call.name)' has an argument that a graph cannot say")
        }
        result.attributes.append(.init(argument.label, value))
      }
    }
    return result
  }
}
