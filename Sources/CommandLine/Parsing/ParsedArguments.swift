/// What the user gave to a command. Every value in here was accepted by its option's reader.
struct ParsedArguments: Sendable {
  /// The texts given for each option by long name, in order; flags have an empty text.
  var values: [String: [String]] = [:]
  /// The words given for each operand, by placeholder.
  var operands: [String: [String]] = [:]
  /// The words that chose the command, the program's name first.
  var path: [String] = []
  /// The words after it as they were typed, those of an option together with its long name, in order.
  var pieces: [(option: String?, words: [String])] = []

  /// The whole line, the program's name first, without some options by their long names.
  func words(without names: Set<String>) -> [String] {
    path + pieces.filter { $0.option.map { !names.contains($0) } ?? true }.flatMap(\.words)
  }

  /// Whether the option was given.
  func has(_ option: OptionSpec) -> Bool { values[option.name] != nil }

  /// Whether the option of that long name was given, for tables that are made from other tables.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The option's value, or `nil` where it was not given.
  subscript<Value>(_ option: ValueOption<Value>) -> Value? { all(option).last }

  /// Every value of an option that may be repeated, in the order given.
  func all<Value>(_ option: ValueOption<Value>) -> [Value] {
    (values[option.spec.name] ?? []).compactMap(option.reader.read)
  }

  /// The word of an operand that takes exactly one.
  func one(_ operand: Operand) -> String { operands[operand.placeholder]?.first ?? "" }

  /// The word of an operand that may be left out.
  func optional(_ operand: Operand) -> String? { operands[operand.placeholder]?.first }

  /// The words of an operand that takes several.
  func all(_ operand: Operand) -> [String] { operands[operand.placeholder] ?? [] }
}
