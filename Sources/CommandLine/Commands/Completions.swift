import Diagnostics

/// The body of `stylemodel completions`.
@Sendable func runCompletions(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError)
  -> Int32
{
  let word = arguments.one(CompletionsOptions.shell)
  guard let shell = Shell(rawValue: word) else {
    throw usageError("there are no completions for '\(word)'", remedy: "name bash, zsh or fish")
  }
  console.print(shell.completions(of: rootCommand), terminator: "")
  return 0
}
