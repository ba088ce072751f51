import Diagnostics

/// Sorts the words after a command's name into options and operands, by the command's table.
struct ArgumentParser {
  private let command: CommandSpec
  private let options: [OptionSpec]
  private var result = ParsedArguments()
  private var words: [String] = []

  /// Reads `arguments` by the table of `command`.
  /// - Throws: `.usage` for whatever the table does not allow.
  static func parse(_ arguments: [String], for command: CommandSpec) throws(StyleModelError)
    -> ParsedArguments
  {
    var parser = ArgumentParser(command: command)
    try parser.sort(arguments)
    try parser.assignOperands()
    try parser.checkSets()
    return parser.result
  }

  private init(command: CommandSpec) {
    self.command = command
    options = command.options
  }

  private mutating func sort(_ arguments: [String]) throws(StyleModelError) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        words += rest
        result.pieces.append((nil, [word] + rest))
        return
      }
      guard looksLikeOption(word) else {
        words.append(word)
        result.pieces.append((nil, [word]))
        continue
      }
      let (typed, option, attached) = try find(word)
      guard let value = option.value else {
        if let attached { throw usageError("'\(typed)' takes no value, but '\(attached)' is given") }
        try record(option, "", typed)
        result.pieces.append((option.name, [word]))
        continue
      }
      var text = attached
      if text == nil, let next = rest.first, next != "--", !looksLikeOption(next),
        !value.isOptional || value.accepts(next)
      {
        text = rest.popFirst()
      }
      if text == nil, value.isOptional {
        try record(option, "", typed)
        continue
      }
      guard let text else {
        throw usageError(
          "missing value for '\(typed) \(value.placeholder)'", remedy: "it wants \(value.wish)")
      }
      guard value.accepts(text) else { throw usageError("\(typed) wants \(value.wish), not '\(text)'") }
      try record(option, text, typed)
      result.pieces.append((option.name, attached == nil ? [word, text] : [word]))
    }
  }

  /// The option that a word calls, as the user typed it, and the value attached to it (`--name=value`, `-ovalue`).
  private func find(_ word: String) throws(StyleModelError) -> (String, OptionSpec, String?) {
    if word.hasPrefix("--") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let typed = String(parts[0])
      guard let option = options.first(where: { $0.typed == typed }) else { throw unknown(typed) }
      return (typed, option, parts.count > 1 ? String(parts[1]) : nil)
    }
    let letters = word.dropFirst()
    guard let option = options.first(where: { $0.short != nil && $0.short == letters.first }),
      option.value != nil || letters.count == 1
    else { throw unknown(word) }
    let attached = letters.dropFirst()
    let text = attached.hasPrefix("=") ? attached.dropFirst() : attached
    return (String(word.prefix(2)), option, attached.isEmpty ? nil : String(text))
  }

  private mutating func record(_ option: OptionSpec, _ text: String, _ typed: String) throws(StyleModelError)
  {
    if !option.isRepeatable, result.has(option) {
      throw usageError("'\(typed)' is given twice", remedy: "give it once")
    }
    result.values[option.name, default: []].append(text)
  }

  private mutating func assignOperands() throws(StyleModelError) {
    var rest = words[...]
    for operand in command.operands {
      switch operand.count {
      case .one, .zeroOrOne: result.operands[operand.placeholder] = rest.popFirst().map { [$0] }
      case .oneOrMore, .zeroOrMore:
        result.operands[operand.placeholder] = Array(rest)
        rest = []
      }
      if [.one, .oneOrMore].contains(operand.count), result.all(operand).isEmpty {
        throw usageError("missing argument '\(operand.usage)'")
      }
      if result.all(operand).contains("") {
        throw usageError("an empty name is given for '\(operand.placeholder)'")
      }
    }
    if let extra = rest.first {
      throw usageError("unexpected argument '\(extra)'", remedy: "put a name that has spaces in quotes")
    }
  }

  private func checkSets() throws(StyleModelError) {
    var givenOfSet: [String: OptionSpec] = [:]
    for option in options {
      if option.isRequired, !result.has(option) { throw usageError("missing option '\(option.usage)'") }
      guard let set = option.exclusiveSet, result.has(option) else { continue }
      if let other = givenOfSet[set] {
        throw usageError(
          "'\(other.typed)' and '\(option.typed)' exclude each other", remedy: "give one of them")
      }
      givenOfSet[set] = option
    }
  }

  private func unknown(_ typed: String) -> StyleModelError {
    let word = String(typed.drop { $0 == "-" })
    let guess = nearest(to: word, in: options.map(\.name))
    return usageError("unknown option '\(typed)'", remedy: guess.map { "did you mean '--\($0)'?" })
  }
}

/// Whether a word calls an option: `-` alone is a name, and `-0.5` or `-.5` a number.
func looksLikeOption(_ word: String) -> Bool {
  guard word.utf8.count > 1, word.hasPrefix("-") else { return false }
  let second = word.dropFirst().first
  return second != "." && second?.isNumber != true
}

/// A wrong command line.
func usageError(_ problem: String, remedy: String? = nil) -> StyleModelError {
  StyleModelError(.usage, problem, remedy: remedy)
}
