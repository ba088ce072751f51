import Diagnostics

/// The whole help of a command, ready to print.
/// - Parameter path: the words that call it, from the program's name on.
func helpText(of command: CommandSpec, path: [String]) -> String {
  var sections = [
    wrapped("OVERVIEW: " + command.overview, width: lineWidth).joined(separator: "\n"),
    usageText(lead: "USAGE: ", path: path, command: command),
  ]
  if !command.operands.isEmpty {
    sections.append(table("ARGUMENTS", command.operands.map { ($0.usage, $0.help) }))
  }
  for section in command.sections where !section.options.isEmpty {
    sections.append(table(section.title, section.options.map { (optionLabel($0), $0.help) }))
  }
  if !command.subcommands.isEmpty {
    let rows = command.subcommands.map { ($0.name, firstSentence($0.overview)) }
    let hint = "  See '\(path.joined(separator: " ")) help COMMAND' for the help of one of them."
    sections.append(table("SUBCOMMANDS", rows) + "\n\n" + hint)
  }
  if !command.examples.isEmpty {
    let program = path.first ?? ""
    let lines = command.examples.map { "  \($0.purpose):\n    \(program) \($0.line)" }
    sections.append("EXAMPLES:\n" + lines.joined(separator: "\n"))
  }
  return sections.joined(separator: "\n\n") + "\n"
}

/// Where the text of a row starts, counted from 0.
private let textColumn = 26

/// A heading and two columns: a label, and its text wrapped beside it or below where the label is long.
private func table(_ title: String, _ rows: [(label: String, text: String)]) -> String {
  var lines = [title + ":"]
  for row in rows {
    let label = "  " + row.label
    var text = wrapped(row.text, width: lineWidth - textColumn)[...]
    if label.count < textColumn, let first = text.popFirst() {
      lines.append(label + spaces(textColumn - label.count) + first)
    } else {
      lines.append(label)
    }
    lines += text.map { spaces(textColumn) + $0 }
  }
  return lines.joined(separator: "\n")
}

private func optionLabel(_ option: OptionSpec) -> String {
  (option.short.map { "-\($0), " } ?? "") + option.typed + (option.value.map { " " + $0.written } ?? "")
}

/// What a text says first, for lists of many.
func firstSentence(_ text: String) -> String {
  let words = text.split(separator: " ")
  let end = words.firstIndex { $0.hasSuffix(".") } ?? words.endIndex - 1
  return words.isEmpty ? text : words[...end].joined(separator: " ")
}
