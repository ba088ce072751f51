public import Diagnostics
public import Tensors

/// Makes a graph from statements one by one, checking shapes as it goes, so that the first operation that does
/// not fit is named with its line.
public struct GraphBuilder {
  /// The graph so far.
  public private(set) var graph: Graph
  /// Whether a name may be assigned again, and then means the newer value: recipes do so in loops.
  public let allowsRebinding: Bool
  private var names: [String: ValueID] = [:]
  private var shapes: [ValueID: Shape]
  private var hasOutput = false

  /// Starts an empty graph.
  public init(contract: PixelContract, allowsRebinding: Bool) {
    graph = Graph(contract: contract)
    self.allowsRebinding = allowsRebinding
    let size = graph.sampleSize
    shapes = [graph.input.value: [1, graph.input.channels, size.height, size.width]]
  }

  /// Changes the pixel contract.
  public mutating func setContract(_ contract: PixelContract) {
    graph.contract = contract
    let size = graph.sampleSize
    shapes[graph.input.value] = [1, graph.input.channels, size.height, size.width]
  }

  /// Says which styles the conditional norms choose from.
  public mutating func setStyles(_ styles: StyleSet) { graph.styles = styles }

  /// Names the picture that goes in.
  public mutating func setInput(_ name: String, title: String?, line: Int) throws(StyleModelError) {
    guard names.isEmpty else { throw problem(line, "'input' stands first, and once") }
    names[name] = graph.input.value
    if let title { graph.input.name = title }
  }

  /// Names the picture that comes out.
  public mutating func setOutput(_ name: String, line: Int) throws(StyleModelError) {
    guard !hasOutput else { throw problem(line, "'output' stands once") }
    graph.output = try value(name, line: line)
    hasOutput = true
  }

  /// The value that a name means.
  public func value(_ name: String, line: Int) throws(StyleModelError) -> ValueID {
    guard let value = names[name] else { throw problem(line, "%\(name) is not assigned before this") }
    return value
  }

  /// The shape of a value at the sample size.
  public func shape(_ value: ValueID) -> Shape { shapes[value] ?? [] }

  /// A weight, added when it is used for the first time.
  public mutating func constant(_ name: String, _ tensor: StoredTensor) -> ValueID {
    if let value = graph.constant(named: name) { return value }
    let value = graph.addConstant(name, tensor)
    shapes[value] = tensor.shape
    return value
  }

  /// Adds an operation and gives its result a name.
  /// - Throws: `.badInput` with the line when the operation is unknown, lacks something or does not fit.
  public mutating func assign(_ name: String, _ call: OperationCall, line: Int) throws(StyleModelError) {
    guard !hasOutput else { throw problem(line, "nothing may stand after 'output'") }
    guard allowsRebinding || names[name] == nil else { throw problem(line, "%\(name) is assigned twice") }
    do throws(StyleModelError) {
      var reader = OperationCallReader(call)
      let operation = try Operation(&reader)
      let shape = try operation.resultShape { shapes[$0] ?? [] }
      let result = graph.append(operation)
      shapes[result] = shape
      names[name] = result
    } catch {
      throw StyleModelError(error.kind, place: "line \(line)", error.problem, remedy: error.remedy)
    }
  }

  /// Checks that the graph is whole.
  public func finish(line: Int) throws(StyleModelError) -> Graph {
    guard hasOutput else { throw problem(line, "'output %name' is missing at the end") }
    try graph.verify()
    return graph
  }

  private func problem(_ line: Int, _ text: String) -> StyleModelError {
    StyleModelError(.badInput, place: "line \(line)", text)
  }
}

extension GraphSyntax.Expression {
  /// The attribute that a literal is, or nil for anything else.
  public var attribute: OperationCall.AttributeValue? {
    switch self {
    case .integer(let value): return .integers([value])
    case .number(let value): return .number(value)
    case .word(let word): return .word(word)
    case .list(let items):
      let integers = items.compactMap { item in
        if case .integer(let value) = item { value } else { nil }
      }
      return integers.count == items.count && !items.isEmpty ? .integers(integers) : nil
    case .value, .key, .string, .call: return nil
    }
  }
}
