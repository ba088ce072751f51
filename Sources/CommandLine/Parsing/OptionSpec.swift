/// One row of a command's option table. Parsing, help, completions and manual pages all read this row.
struct OptionSpec: Sendable {
  /// The long name without its dashes: `max-bytes`.
  let name: String
  /// The one-letter name, if there is one.
  let short: Character?
  /// How the value is written; `nil` for a flag.
  let value: ValueSpec?
  /// Whether it may be given more than once; a second time is an error otherwise.
  let isRepeatable: Bool
  /// Whether the command cannot do without it.
  let isRequired: Bool
  /// Whether the one-line usage shows it; options that it does not show hide behind `…`.
  let isInUsage: Bool
  /// Of the options that share such a name, one at most may be given.
  let exclusiveSet: String?
  /// What it does: one or a few sentences.
  let help: String

  /// Creates a row; the defaults make an optional flag that is given once at most.
  init(
    _ name: String, short: Character? = nil, value: ValueSpec? = nil, repeatable: Bool = false,
    required: Bool = false, inUsage: Bool = false, exclusiveSet: String? = nil, _ help: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.isRepeatable = repeatable
    self.isRequired = required
    self.isInUsage = inUsage || required
    self.exclusiveSet = exclusiveSet
    self.help = help
  }

  /// The option as a user types it: `--max-bytes`.
  var typed: String { "--" + name }

  /// The shortest way to type it with its value: `-o OUTPUT`, `--bits 2…8`.
  var usage: String { (short.map { "-\($0)" } ?? typed) + (value.map { " " + $0.written } ?? "") }
}

/// How the value of an option is written, without the type that it is read as.
struct ValueSpec: Sendable {
  /// What stands for it in the help: `N`.
  let placeholder: String
  /// What is wanted, as the object of "wants": `a whole number from 2 to 8`.
  let wish: String
  /// What a shell should offer for it.
  let completion: Completion
  /// Whether the option may stand without it. The next word is then taken for it only where it is such a value.
  let isOptional: Bool
  /// Whether a text is such a value.
  let accepts: @Sendable (String) -> Bool

  /// How it is written after the option: in brackets where it may be left out.
  var written: String { isOptional ? "[\(placeholder)]" : placeholder }

  /// What a shell offers when the user asks it to complete a value.
  enum Completion: Hashable, Sendable {
    case nothing
    case files
    case folders
    /// The names of the commands.
    case commands
    case words([String])
  }
}

/// An option with a value, and the type that the value is read as: the key to a parsed value.
struct ValueOption<Value: Sendable>: Sendable {
  /// The row for the command's table.
  let spec: OptionSpec
  /// Turns the text into the value.
  let reader: ValueReader<Value>

  /// Creates a key and its row.
  init(
    _ name: String, short: Character? = nil, _ reader: ValueReader<Value>, repeatable: Bool = false,
    required: Bool = false, inUsage: Bool = false, exclusiveSet: String? = nil, _ help: String
  ) {
    self.reader = reader
    spec = OptionSpec(
      name, short: short, value: reader.spec, repeatable: repeatable, required: required, inUsage: inUsage,
      exclusiveSet: exclusiveSet, help)
  }
}
