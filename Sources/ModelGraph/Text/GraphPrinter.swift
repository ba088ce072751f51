import Diagnostics
import Tensors

extension Graph {
  /// The graph in its text form, which `Graph(text:constants:)` reads back: one operation a line, weights by
  /// name, and the shape at the sample size as a comment.
  public var text: String {
    let shapes = try? shapes(for: sampleSize)
    var lines = ["graph {", "  " + contract.statement]
    if let styles { lines.append("  " + styles.statement) }
    lines.append("  input \(input.value) \"\(input.name)\"")
    for node in nodes {
      let comment = shapes?[node.result].map { "  // \($0)" } ?? ""
      lines.append("  " + line(for: node) + comment)
    }
    lines += ["  output \(output)", "}"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// One operation as a line of the text form.
  public func line(for node: Node) -> String {
    let call = node.operation.call
    let operands = call.operands.map { operand in
      let name = constants[operand.value].map { "@" + quoted($0.name) } ?? operand.value.description
      return operand.role.isEmpty ? name : "\(operand.role): \(name)"
    }
    let attributes = call.attributes.map { "\($0.name): \($0.value.text)" }
    return "\(node.result) = \(call.mnemonic)(\((operands + attributes).joined(separator: ", ")))"
  }
}

extension OperationCall.AttributeValue {
  /// As the text form writes it.
  var text: String {
    switch self {
    case .integers(let values): values.count == 1 ? "\(values[0])" : "\(values)"
    case .number(let value): "\(value)"
    case .word(let word): word
    }
  }
}

extension PixelContract {
  /// As a statement of the text form: `pixels(order: rgb, …)`.
  public var statement: String {
    let sizesText: String =
      switch sizes {
      case .any: ""
      case .listed(let list):
        ", sizes: [\(list.map { "[\($0.width), \($0.height)]" }.joined(separator: ", "))]"
      case .range(let width, let height):
        ", widths: [\(width.lower), \(width.upper ?? -1)], heights: [\(height.lower), \(height.upper ?? -1)]"
      }
    return "pixels(order: \(channelOrder.rawValue), input_scale: \(inputScale), input_bias: \(inputBias), "
      + "output_scale: \(outputScale), output_bias: \(outputBias), rounding: \(rounding.rawValue)\(sizesText))"
  }
}

extension StyleSet {
  /// As the text form writes it.
  var statement: String {
    let list = names.isEmpty ? "" : ", names: [\(names.map(quoted).joined(separator: ", "))]"
    return "styles(input: \(quoted(inputName)), count: \(count)\(list))"
  }
}

/// A name in quotes, with backslashes before quotes and backslashes, as the lexer reads it.
func quoted(_ name: String) -> String {
  var result = "\""
  for character in printable(name, limit: .max) {
    if character == "\"" || character == "\\" { result.append("\\") }
    result.append(character)
  }
  return result + "\""
}
