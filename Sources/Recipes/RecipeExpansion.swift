import Diagnostics
import ModelGraph
import Tensors

/// Turns a recipe and the tensors of a state dict into a graph.
struct RecipeExpansion {
  private var builder: GraphBuilder
  private var counters = RecipeCounters()
  private let tensors: [String: StoredTensor]
  private let keepsRunningStatistics: (String) -> Bool
  /// The tensors that the graph uses.
  private(set) var used: Set<String> = []

  /// - Parameter keepsRunningStatistics: whether the norm at this module path is to use its stored statistics.
  static func graph(
    _ recipe: Recipe, tensors: [String: StoredTensor], keepsRunningStatistics: @escaping (String) -> Bool
  ) throws(StyleModelError) -> (graph: Graph, used: Set<String>) {
    var expansion = RecipeExpansion(
      builder: GraphBuilder(contract: recipe.contract, allowsRebinding: true), tensors: tensors,
      keepsRunningStatistics: keepsRunningStatistics)
    try expansion.run(recipe.statements)
    return (try expansion.builder.finish(line: recipe.line), expansion.used)
  }

  private init(
    builder: GraphBuilder, tensors: [String: StoredTensor], keepsRunningStatistics: @escaping (String) -> Bool
  ) {
    self.builder = builder
    self.tensors = tensors
    self.keepsRunningStatistics = keepsRunningStatistics
  }

  private mutating func run(_ statements: [GraphSyntax.Statement]) throws(StyleModelError) {
    for statement in statements {
      switch statement {
      case .assign(let name, let call):
        do throws(StyleModelError) {
          try builder.assign(name, try operationCall(call), line: call.line)
        } catch {
          throw StyleModelError(
            error.kind, place: try place(call, error), error.problem, remedy: error.remedy)
        }
      case .input(let name, let title, let line): try builder.setInput(name, title: title, line: line)
      case .output(let name, let line): try builder.setOutput(name, line: line)
      case .styles(let call): builder.setStyles(try StyleSet(call))
      case .pixels, .setting, .block, .use: break
      case .loop(let variable, let from, let key, let body, let line):
        counters[variable] = from
        while tensors[try counters.fill(key, line: line)] != nil, let count = counters[variable] {
          try run(body)
          counters[variable] = count + 1
        }
      }
    }
  }

  /// The tensor that an operation is about says more to a user than the line of a recipe: both are given.
  private func place(_ call: GraphSyntax.Call, _ error: StyleModelError) throws(StyleModelError) -> String {
    let line = "line \(call.line)"
    for argument in call.arguments {
      guard case .key(let patterns) = argument.expression else { continue }
      for pattern in patterns {
        let key = try counters.fill(pattern, line: call.line)
        if let tensor = tensors[key] { return "tensor '\(key)' \(tensor.shape) (recipe, \(line))" }
      }
    }
    return "recipe, \(line)"
  }

  private mutating func operationCall(_ call: GraphSyntax.Call) throws(StyleModelError) -> OperationCall {
    var result = OperationCall(call.name, operands: [])
    for argument in call.arguments {
      let label = argument.label
      switch try resolve(argument.expression, line: call.line) {
      case .absent: break
      case .operand(let value): result.operands.append(.init(role: label, value: value))
      case .attribute(let value):
        guard !label.isEmpty else { throw problem(call.line, "\(call.name) has a setting without a name") }
        result.attributes.append(.init(label, value))
      }
    }
    try fillGroups(&result, line: call.line)
    useRunningStatistics(&result)
    return result
  }

  private enum Resolved {
    case absent
    case operand(ValueID)
    case attribute(OperationCall.AttributeValue)
  }

  private mutating func resolve(
    _ expression: GraphSyntax.Expression, line: Int
  ) throws(StyleModelError) -> Resolved {
    switch expression {
    case .value(let name): return .operand(try builder.value(name, line: line))
    case .key(let patterns):
      guard let (name, tensor) = try find(patterns, line: line) else {
        throw problem(line, "there is no tensor '\(try counters.fill(patterns[0], line: line))'")
      }
      used.insert(name)
      return .operand(builder.constant(name, tensor))
    case .call(let call): return try resolve(call)
    case .integer, .number, .word, .list, .string:
      guard let value = expression.attribute else {
        throw problem(line, "a list holds something else than integers")
      }
      return .attribute(value)
    }
  }

  /// The functions of the recipe language.
  private mutating func resolve(_ call: GraphSyntax.Call) throws(StyleModelError) -> Resolved {
    let arguments = call.arguments.map(\.expression)
    switch (call.name, arguments.count) {
    case ("optional", 1):
      guard case .key(let patterns) = arguments[0] else { break }
      return try find(patterns, line: call.line) == nil ? .absent : resolve(arguments[0], line: call.line)
    case ("half", 1):
      guard case .key(let patterns) = arguments[0] else { break }
      guard let (name, tensor) = try find(patterns, line: call.line), tensor.shape.rank == 4 else {
        throw problem(call.line, "half(…) wants the key of a kernel [C_out, C_in, kH, kW] that exists")
      }
      used.insert(name)
      let (vertical, horizontal) = (tensor.shape[2] / 2, tensor.shape[3] / 2)
      return .attribute(.integers([vertical, horizontal, vertical, horizontal]))
    case ("flipped", 1), ("swapped", 1):
      guard let (name, tensor) = try kernel(.call(call), line: call.line) else { break }
      used.insert(name)
      return .operand(builder.constant(name, tensor))
    case ("when", 3):
      guard case .key(let patterns) = arguments[0] else { break }
      let exists = try find(patterns, line: call.line) != nil
      return try resolve(arguments[exists ? 1 : 2], line: call.line)
    default: break
    }
    throw problem(
      call.line, "'\(call.name)(…)' is not understood",
      remedy: "there are optional(@\"key\"), half(@\"key\"), when(@\"key\", a, b), flipped(…) and swapped(…)")
  }

  /// The kernel that a key names, as `flipped` and `swapped` leave it; nil for anything else.
  private func kernel(
    _ expression: GraphSyntax.Expression, line: Int
  ) throws(StyleModelError) -> (name: String, tensor: StoredTensor)? {
    switch expression {
    case .key(let patterns):
      guard let found = try find(patterns, line: line) else {
        throw problem(line, "there is no tensor '\(try counters.fill(patterns[0], line: line))'")
      }
      return found
    case .call(let call) where call.arguments.count == 1 && ["flipped", "swapped"].contains(call.name):
      guard let (name, tensor) = try kernel(call.arguments[0].expression, line: line) else { return nil }
      guard let changed = call.name == "flipped" ? tensor.flippedKernels : tensor.swappedChannels else {
        throw problem(line, "\(call.name)(…) wants a kernel of four axes, not \(tensor.shape)")
      }
      return (name, changed)
    default: return nil
    }
  }

  private func find(_ patterns: [String], line: Int) throws(StyleModelError) -> (String, StoredTensor)? {
    for pattern in patterns {
      let name = try counters.fill(pattern, line: line)
      if let tensor = tensors[name] { return (name, tensor) }
    }
    return nil
  }

  /// `groups: auto` is as many groups as the kernels' input channels leave.
  private func fillGroups(_ call: inout OperationCall, line: Int) throws(StyleModelError) {
    guard let index = call.attributes.firstIndex(where: { $0.name == "groups" && $0.value == .word("auto") })
    else {
      return
    }
    guard let input = call.operands.first(where: { $0.role.isEmpty }),
      let weight = call.operands.first(where: { $0.role == "weight" })
    else { throw problem(line, "'groups: auto' wants a picture and weights") }
    let kernel = builder.shape(weight.value)
    let channels = builder.shape(input.value)[1]
    guard kernel.rank == 4, kernel[1] > 0, channels % kernel[1] == 0 else {
      throw problem(line, "weights \(kernel) do not fit \(channels) channels in any number of groups")
    }
    call.attributes[index].value = .integers([channels / kernel[1]])
  }

  /// A live norm whose stored statistics are meant becomes a norm by those.
  private mutating func useRunningStatistics(_ call: inout OperationCall) {
    guard call.mnemonic == "instance_norm", let gamma = call.operands.first(where: { $0.role == "gamma" }),
      let name = builder.graph.constants[gamma.value]?.name, let dot = name.lastIndex(of: ".")
    else { return }
    let path = String(name[..<dot])
    let (meanName, varianceName) = (path + ".running_mean", path + ".running_var")
    guard keepsRunningStatistics(path), let mean = tensors[meanName], let variance = tensors[varianceName]
    else {
      return
    }
    used.formUnion([meanName, varianceName])
    call.mnemonic = "batch_norm"
    call.operands.append(.init(role: "mean", value: builder.constant(meanName, mean)))
    call.operands.append(.init(role: "variance", value: builder.constant(varianceName, variance)))
  }

  private func problem(_ line: Int, _ text: String, remedy: String? = nil) -> StyleModelError {
    StyleModelError(.badInput, place: "line \(line)", text, remedy: remedy)
  }
}
