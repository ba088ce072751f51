import Diagnostics

/// A command as a table: what it takes, what its help says, and what it runs.
struct CommandSpec: Sendable {
  /// The word that calls it.
  let name: String
  /// What it is for: one or a few sentences; the first one stands in the parent's list of commands.
  let overview: String
  /// What stands in the line without dashes, in order.
  let operands: [Operand]
  /// The options, in the sections that the help shows.
  let sections: [OptionSection]
  /// Lines to copy.
  let examples: [Example]
  /// The commands below this one.
  let subcommands: [CommandSpec]
  /// What it does; `nil` where there is nothing to do but choose a subcommand.
  let body: CommandBody?

  init(
    _ name: String, overview: String, operands: [Operand] = [], sections: [OptionSection] = [],
    examples: [Example] = [], subcommands: [CommandSpec] = [], body: CommandBody? = nil
  ) {
    self.name = name
    self.overview = overview
    self.operands = operands
    self.sections = sections
    self.examples = examples
    self.subcommands = subcommands
    self.body = body
  }

  /// Every option of every section.
  var options: [OptionSpec] { sections.flatMap(\.options) }
}

/// What a command runs: returns the exit status when it came to an end, even where a gate failed or one of many
/// inputs was bad.
typealias CommandBody =
  @Sendable (_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32

/// Some options under one heading; a section can be shared by several commands.
struct OptionSection: Sendable {
  /// The heading in the help, in capitals and without the colon.
  let title: String
  /// The rows.
  let options: [OptionSpec]

  init(_ title: String, _ options: [OptionSpec]) {
    self.title = title
    self.options = options
  }
}

/// Something that stands in the command line without dashes, mostly a file.
struct Operand: Hashable, Sendable {
  /// What stands for it in the help: `INPUT`.
  let placeholder: String
  /// How many there may be.
  let count: Count
  /// What a shell should offer for it.
  let completion: ValueSpec.Completion
  /// What it is.
  let help: String

  /// How many words an operand takes. Only the last operand of a command may take several.
  enum Count: Hashable, Sendable {
    case one
    case zeroOrOne
    case oneOrMore
    case zeroOrMore
  }

  init(
    _ placeholder: String, count: Count = .one, completion: ValueSpec.Completion = .files, _ help: String
  ) {
    self.placeholder = placeholder
    self.count = count
    self.completion = completion
    self.help = help
  }

  /// As the usage line shows it: `INPUT`, `[COMMAND]`, `IMAGE…`, `[MODEL…]`.
  var usage: String {
    switch count {
    case .one: placeholder
    case .zeroOrOne: "[" + placeholder + "]"
    case .oneOrMore: placeholder + "…"
    case .zeroOrMore: "[" + placeholder + "…]"
    }
  }
}

/// A line to copy, with what it does.
struct Example: Hashable, Sendable {
  /// What it does, without a full stop.
  let purpose: String
  /// The words after the program's name, apart by single spaces.
  let line: String

  init(_ purpose: String, _ line: String) {
    self.purpose = purpose
    self.line = line
  }
}
