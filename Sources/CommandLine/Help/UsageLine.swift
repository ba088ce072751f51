import Diagnostics

/// The one-line usage of a command: operands, the options that matter most, and `…` for the others.
func usageParts(of command: CommandSpec) -> [String] {
  if !command.subcommands.isEmpty { return ["COMMAND", "…"] }
  var parts = command.operands.map(\.usage)
  var setsSeen: Set<String> = []
  for option in command.options where option.isInUsage {
    guard let set = option.exclusiveSet else {
      parts.append(
        (option.isRequired ? option.usage : "[" + option.usage + "]") + (option.isRepeatable ? "…" : ""))
      continue
    }
    guard setsSeen.insert(set).inserted else { continue }
    let members = command.options.filter { $0.exclusiveSet == set && $0.isInUsage }
    // A part each, so that lines can be broken between them.
    for (index, member) in members.enumerated() {
      parts.append(
        (index == 0 ? "[" : "| ") + member.usage + (index == members.count - 1 ? "]" : ""))
    }
  }
  if command.options.contains(where: { !$0.isInUsage }) { parts.append("…") }
  return parts
}

/// The usage in lines that start with `lead` and are wrapped between its parts, as far in as the command's name.
func usageText(lead: String, path: [String], command: CommandSpec) -> String {
  var lines: [String] = []
  var line = lead + path.joined(separator: " ")
  let indent = min(line.count + 1, 26)
  for part in usageParts(of: command) {
    if line.count + 1 + part.count > lineWidth {
      lines.append(line)
      line = spaces(indent) + part
    } else {
      line += " " + part
    }
  }
  return (lines + [line]).joined(separator: "\n")
}
