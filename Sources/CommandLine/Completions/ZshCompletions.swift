/// The completions for zsh, through its `_arguments`.
func zshCompletions(of root: CommandSpec) -> String {
  let program = root.name
  var lines = [
    "#compdef \(program)",
    "# Completions of \(program) for zsh, made by '\(program) completions zsh'.",
    "# Put into a folder of $fpath as _\(program).",
    "",
    "_\(program)() {",
    "  local -a commands=(",
  ]
  lines += root.subcommands.map {
    "    " + singleQuoted("\($0.name):\(escaped(firstSentence($0.overview)))")
  }
  lines += [
    "  )",
    "  if ((CURRENT == 2)); then",
    "    _describe command commands",
    "    _arguments \(root.options.flatMap { specs($0, in: root) }.joined(separator: " "))",
    "    return",
    "  fi",
    "  local command=$words[2]",
    "  shift words",
    "  ((CURRENT--))",
    "  case $command in",
    "    help) _describe command commands ;;",
  ]
  for command in root.subcommands {
    let arguments =
      command.options.flatMap { specs($0, in: command) }
      + command.operands.map { spec($0, command.operandCompletion(in: root)) }
    lines.append("    \(command.name))")
    lines.append("      _arguments -s -S \\")
    lines.append(arguments.map { "        " + $0 }.joined(separator: " \\\n"))
    lines.append("      ;;")
  }
  lines += ["  esac", "}", "", "_\(program) \"$@\""]
  return lines.joined(separator: "\n") + "\n"
}

/// An option for `_arguments`: what it excludes, its names, what it does, and its value.
private func specs(_ option: OptionSpec, in command: CommandSpec) -> [String] {
  let names = (option.short.map { ["-\($0)"] } ?? []) + [option.typed]
  let rivals =
    option.exclusiveSet == nil
    ? [] : command.options.filter { $0.exclusiveSet == option.exclusiveSet }.map(\.typed)
  let excluded =
    option.isRepeatable
    ? "" : "(" + (names + rivals.filter { !names.contains($0) }).joined(separator: " ") + ")"
  let value = option.value.map { ":\(escaped($0.placeholder)):\(action($0.completion))" } ?? ""
  return names.map { name in
    let suffix = option.value == nil ? "" : name.hasPrefix("--") ? "=" : "+"
    return singleQuoted(
      (option.isRepeatable ? "*" : excluded) + name + suffix + "[\(escaped(firstSentence(option.help)))]"
        + value)
  }
}

private func spec(_ operand: Operand, _ completion: ValueSpec.Completion) -> String {
  let several = operand.count == .oneOrMore || operand.count == .zeroOrMore
  let optional = operand.count == .zeroOrOne ? ":" : ""
  return singleQuoted(
    (several ? "*" : "") + ":" + optional + "\(escaped(operand.placeholder)):\(action(completion))")
}

private func action(_ completion: ValueSpec.Completion) -> String {
  switch completion {
  case .files: "_files"
  case .folders: "_files -/"
  case .words(let words): "(" + words.joined(separator: " ") + ")"
  case .nothing, .commands: " "
  }
}

/// A text in which `_arguments` sees no end of a description.
private func escaped(_ text: String) -> String {
  var result = ""
  for character in text {
    if "\\[]:".contains(character) { result.append("\\") }
    result.append(character)
  }
  return result
}
