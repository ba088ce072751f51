import Diagnostics

/// The body of `stylemodel man`.
@Sendable func runMan(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  guard let name = arguments.optional(ManOptions.command) else {
    console.print(manualPage(of: rootCommand, path: [rootCommand.name]), terminator: "")
    return 0
  }
  guard let command = rootCommand.subcommands.first(where: { $0.name == name }) else {
    let guess = nearest(to: name, in: rootCommand.subcommands.map(\.name))
    throw usageError("unknown command '\(name)'", remedy: guess.map { "did you mean '\($0)'?" })
  }
  console.print(manualPage(of: command, path: [rootCommand.name, name]), terminator: "")
  return 0
}
