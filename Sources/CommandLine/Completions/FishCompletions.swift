/// The completions for fish.
func fishCompletions(of root: CommandSpec) -> String {
  let program = root.name
  var lines = [
    "# Completions of \(program) for fish, made by '\(program) completions fish'.",
    "# Put into ~/.config/fish/completions/\(program).fish.",
    "",
    "complete -c \(program) -f",
  ]
  for option in root.options { lines.append(line(program, option, condition: "__fish_use_subcommand")) }
  for command in root.subcommands {
    lines.append(
      "complete -c \(program) -n __fish_use_subcommand -a \(command.name) -d \(quoted(firstSentence(command.overview)))"
    )
  }
  for command in root.subcommands {
    let condition = quoted("__fish_seen_subcommand_from \(command.name)")
    lines.append("")
    let operands = arguments(command.operandCompletion(in: root))
    if !operands.isEmpty { lines.append("complete -c \(program) -n \(condition) \(operands)") }
    for option in command.options { lines.append(line(program, option, condition: condition)) }
  }
  return lines.joined(separator: "\n") + "\n"
}

private func line(_ program: String, _ option: OptionSpec, condition: String) -> String {
  var parts = ["complete -c \(program) -n \(condition) -l \(option.name)"]
  if let short = option.short { parts.append("-s \(short)") }
  if let value = option.value { parts += ["-r", arguments(value.completion)].filter { !$0.isEmpty } }
  parts.append("-d \(quoted(firstSentence(option.help)))")
  return parts.joined(separator: " ")
}

private func arguments(_ completion: ValueSpec.Completion) -> String {
  switch completion {
  case .files: "-F"
  case .folders: "-f -a '(__fish_complete_directories)'"
  case .words(let words): "-f -a \(quoted(words.joined(separator: " ")))"
  case .nothing, .commands: ""
  }
}

private func quoted(_ text: String) -> String {
  singleQuoted(
    text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: #"\\"#),
    escapedQuote: #"\'"#)
}
