import Diagnostics
import ModelGraph

/// The counters of a recipe's loops, by name. After a loop its counter stays at the first number that was not
/// there, so that what follows can be named from it.
struct RecipeCounters {
  private var values: [String: Int] = [:]

  subscript(name: String) -> Int? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The key with `{i}` and `{i+2}` replaced.
  func fill(_ pattern: String, line: Int) throws(StyleModelError) -> String {
    var result = ""
    var rest = pattern[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw StyleModelError(.badInput, place: "line \(line)", "the key '\(pattern)' lacks a '}'")
      }
      let parts = rest[rest.index(after: open)..<close].split(
        separator: "+", omittingEmptySubsequences: false)
      let offset = parts.count == 2 ? Int(parts[1]) : 0
      guard (1...2).contains(parts.count), let offset, let value = values[String(parts[0])] else {
        throw StyleModelError(
          .badInput, place: "line \(line)", "the key '\(pattern)' counts with something that no loop counts")
      }
      result += String(value + offset)
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

/// How well a recipe's keys fit a state dict, found by walking the recipe without building anything.
struct RecipeKeyFit {
  /// The recipe's keys that the state dict has.
  var matched: Set<String> = []
  /// The first of the recipe's keys that it lacks.
  var firstMissing: String?

  /// Walks the recipe.
  /// - Throws: `.badInput` with the line of a mistake in the recipe itself.
  init(_ recipe: Recipe, names: Set<String>) throws(StyleModelError) {
    var counters = RecipeCounters()
    try walk(recipe.statements, names, &counters)
  }

  private mutating func walk(
    _ statements: [GraphSyntax.Statement], _ names: Set<String>, _ counters: inout RecipeCounters
  ) throws(StyleModelError) {
    for statement in statements {
      switch statement {
      case .assign(_, let call): try walk(call, names, counters, isOptional: false)
      case .loop(let variable, let from, let key, let body, let line):
        counters[variable] = from
        while names.contains(try counters.fill(key, line: line)), let count = counters[variable] {
          try walk(body, names, &counters)
          counters[variable] = count + 1
        }
      case .input, .output, .pixels, .styles, .setting, .block, .use: break
      }
    }
  }

  private mutating func walk(
    _ call: GraphSyntax.Call, _ names: Set<String>, _ counters: RecipeCounters, isOptional: Bool
  ) throws(StyleModelError) {
    for argument in call.arguments {
      switch argument.expression {
      case .key(let patterns):
        var filled: [String] = []
        for pattern in patterns { filled.append(try counters.fill(pattern, line: call.line)) }
        if let found = filled.first(where: names.contains) {
          matched.insert(found)
        } else if !isOptional, firstMissing == nil {
          firstMissing = filled.first
        }
      case .call(let inner):
        try walk(inner, names, counters, isOptional: isOptional || ["optional", "when"].contains(inner.name))
      default: break
      }
    }
  }
}
