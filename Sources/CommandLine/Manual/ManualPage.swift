import Diagnostics
import StyleModelKit

/// A command's manual page in roff, with the `man` macros.
/// - Parameter path: the words that call it, from the program's name on.
func manualPage(of command: CommandSpec, path: [String]) -> String {
  let program = path.first ?? ""
  let name = path.joined(separator: "-")
  var lines = [
    ".\\\" Made by '\(program) man'; do not edit.",
    ".TH \(roff(name.uppercased())) 1 \"\" \"\(program) \(stylemodelVersion)\" \"\(program) manual\"",
    ".SH NAME", "\(roff(name)) \\- \(roff(purpose(command)))",
    ".SH SYNOPSIS", ".nh", ".B \(roff(path.joined(separator: " ")))",
  ]
  lines += usageParts(of: command).map { roffLine($0) } + [".hy"]
  lines += [".SH DESCRIPTION", roffLine(command.overview)]
  if !command.operands.isEmpty {
    lines.append(".SH ARGUMENTS")
    for operand in command.operands { lines += [".TP", ".I \(roff(operand.usage))", roffLine(operand.help)] }
  }
  for section in command.sections where !section.options.isEmpty {
    lines.append(".SH \(roff(section.title))")
    for option in section.options { lines += [".TP", label(option), roffLine(option.help)] }
  }
  if !command.subcommands.isEmpty {
    lines.append(".SH COMMANDS")
    for subcommand in command.subcommands {
      lines += [".TP", ".BR \(roff("\(name)-\(subcommand.name)")) (1)", roffLine(subcommand.overview)]
    }
  }
  lines.append(".SH EXIT STATUS")
  for (status, meaning) in exitStatuses { lines += [".TP", ".B \(status)", roffLine(meaning)] }
  if !command.examples.isEmpty {
    lines.append(".SH EXAMPLES")
    for (index, example) in command.examples.enumerated() {
      if index > 0 { lines.append(".PP") }
      lines += [roffLine(example.purpose + ":"), ".PP", ".RS 4", ".nf"]
      lines += [roff("\(program) \(example.line)"), ".fi", ".RE"]
    }
  }
  let others = path.count > 1 ? [program] : command.subcommands.map { "\(program)-\($0.name)" }
  lines.append(".SH SEE ALSO")
  for (index, other) in others.enumerated() {
    lines.append(".BR \(roff(other)) (1)" + (index + 1 < others.count ? "," : ""))
  }
  return lines.joined(separator: "\n") + "\n"
}

/// What the command's process ends with. Kept beside the kinds of error by the compiler: a new kind needs a line.
private let exitStatuses: [(status: Int32, meaning: String)] =
  [(0, "All was done.")]
  + StyleModelError.Kind.allCases.map { kind in
    let meaning =
      switch kind {
      case .gateFailed: "A gate on quality or size failed, or a network's output is not finite."
      case .usage: "The command line is wrong."
      case .badInput: "An input is bad or not understood. Others are still done."
      case .cannotOpen: "An input cannot be opened."
      case .internalFault: "A fault of this program; the message says what to report."
      case .cannotCreate: "An output cannot be created."
      case .cannotWrite: "Writing an output failed; what stood there before is kept."
      }
    return (kind.exitStatus, meaning)
  }

/// The first sentence as the line that `whatis` shows: in lower case and without a full stop.
private func purpose(_ command: CommandSpec) -> String {
  let sentence = firstSentence(command.overview)
  let text = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
  return text.prefix(1).lowercased() + text.dropFirst()
}

private func label(_ option: OptionSpec) -> String {
  let short = option.short.map { "\\fB\(roff("-\($0)"))\\fR, " } ?? ""
  let value = option.value.map { " \\fI\(roff($0.written))\\fR" } ?? ""
  return "\(short)\\fB\(roff(option.typed))\\fR\(value)"
}

/// A text in lines of its own, none of which a leading dot or quote turns into a request.
private func roffLine(_ text: String) -> String {
  wrapped(roff(text), width: lineWidth - 2).map { line in
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }.joined(separator: "\n")
}

/// A text in ASCII that roff shows as it is; a hyphen stays the character that a user can copy.
private func roff(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\\": result += "\\e"
    case "-": result += "\\-"
    case "…": result += "..."
    case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
    default:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
    }
  }
  return result
}
