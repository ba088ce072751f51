/// The completions for bash 4.4 and later.
func bashCompletions(of root: CommandSpec) -> String {
  let program = root.name
  let commands = root.subcommands.map(\.name)
  var lines = [
    "# Completions of \(program) for bash, made by '\(program) completions bash'.",
    "# Put into ~/.local/share/bash-completion/completions/\(program), or: source <(\(program) completions bash)",
    "",
    "_\(program)() {",
    "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' operands=files options index",
    "  # Bash takes '--option=value' for three words.",
    "  if [[ $word == = ]]; then",
    "    word=''",
    "  elif [[ $before == = ]] && ((COMP_CWORD > 1)); then",
    "    before=${COMP_WORDS[COMP_CWORD - 2]}",
    "  fi",
    "  for ((index = 1; index < COMP_CWORD; index++)); do",
    "    case ${COMP_WORDS[index]} in",
    "      -* | help) ;;",
    "      *)",
    "        command=${COMP_WORDS[index]}",
    "        break",
    "        ;;",
    "    esac",
    "  done",
    "  COMPREPLY=()",
    "  case $command in",
    "    '')",
    "      operands='\((commands + ["help"]).joined(separator: " "))'",
    "      options='\(typed(root.options))'",
    "      ;;",
  ]
  for command in root.subcommands {
    lines.append("    \(command.name))")
    let values = command.options.filter { $0.value != nil }
    if !values.isEmpty {
      lines.append("      case $before in")
      for option in values {
        let names = (option.short.map { ["-\($0)"] } ?? []) + [option.typed]
        lines.append(
          "        \(names.joined(separator: " | "))) _\(program)_offer \(offer(option.value?.completion)); return ;;"
        )
      }
      lines.append("      esac")
    }
    lines += [
      "      operands=\(offer(command.operandCompletion(in: root)))",
      "      options='\(typed(command.options))'", "      ;;",
    ]
  }
  lines += [
    "    *) return ;;",
    "  esac",
    "  if [[ $word == -* ]]; then operands=$options; fi",
    "  _\(program)_offer \"$operands\"",
    "}",
    "",
    "# Offers files, folders, nothing, or the words given, as far as they go on from what is typed.",
    "_\(program)_offer() {",
    "  case $1 in",
    "    files) mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); compopt -o filenames 2>/dev/null ;;",
    "    folders) mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); compopt -o filenames 2>/dev/null ;;",
    "    nothing) ;;",
    "    *) mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$word\") ;;",
    "  esac",
    "}",
    "",
    "complete -F _\(program) \(program)",
  ]
  return lines.joined(separator: "\n") + "\n"
}

private func typed(_ options: [OptionSpec]) -> String { options.map(\.typed).joined(separator: " ") }

private func offer(_ completion: ValueSpec.Completion?) -> String {
  switch completion {
  case .files: "files"
  case .folders: "folders"
  case .words(let words): singleQuoted(words.joined(separator: " "))
  case .nothing, .commands, nil: "nothing"
  }
}
