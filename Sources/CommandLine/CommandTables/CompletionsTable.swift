/// The keys to the arguments of `stylemodel completions`.
enum CompletionsOptions {
  static let shell = Operand(
    "SHELL", completion: .words(Shell.allCases.map(\.rawValue)), "The shell: bash, zsh or fish.")
}

/// `stylemodel completions`.
let completionsCommand = CommandSpec(
  "completions",
  overview: "Print the completions of this command for a shell. The script itself says where to put it.",
  operands: [CompletionsOptions.shell],
  sections: [GeneralOptions.section()],
  examples: [
    Example("Use them in every bash from now on", "completions bash >> ~/.bash_completion")
  ],
  body: runCompletions)
