/// The shells that completions are written for.
enum Shell: String, Hashable, Sendable, CaseIterable {
  case bash, zsh, fish

  /// The script that teaches the shell a command and its subcommands.
  func completions(of root: CommandSpec) -> String {
    switch self {
    case .bash: bashCompletions(of: root)
    case .zsh: zshCompletions(of: root)
    case .fish: fishCompletions(of: root)
    }
  }
}

extension CommandSpec {
  /// What the command's words without dashes may be, where this is the table of all commands.
  func operandCompletion(in root: CommandSpec) -> ValueSpec.Completion {
    let completion = operands.last?.completion ?? .nothing
    return completion == .commands ? .words(root.subcommands.map(\.name)) : completion
  }
}

/// A text in single quotes, as every one of the shells reads it, but for quotes in the text.
/// - Parameter escapedQuote: what stands for a single quote: `'\''`.
func singleQuoted(_ text: String, escapedQuote: String = #"'\''"#) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: escapedQuote) + "'"
}
