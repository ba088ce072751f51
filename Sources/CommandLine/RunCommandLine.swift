import Diagnostics
import Glibc
import StyleModelKit

/// Runs `stylemodel` with the words after its name, on the process's own streams.
/// - Returns: the exit status of the process.
public func runCommandLine(_ arguments: [String]) -> Int32 {
  reserveStandardStreams()
  // A closed pipe then shows as an error of `write`, which the console handles.
  signal(SIGPIPE, SIG_IGN)
  tidyUpOnSignals()
  return run(arguments, of: rootCommand, on: Console())
}

/// Runs a command, or one of its subcommands, and words whatever goes wrong.
func run(_ arguments: [String], of root: CommandSpec, on console: Console) -> Int32 {
  var invocation = Invocation(path: [root.name], command: root, arguments: arguments[...])
  var status: Int32 = 0
  do {
    try invocation.descend()
    status = try invocation.perform(on: console)
  } catch {
    status = console.report(error, of: invocation)
  }
  do { try console.finish() } catch { status = console.report(error, of: invocation) }
  return status
}

/// A command that was chosen, and the words that are left for it.
struct Invocation {
  /// The words that chose it, from the program's name on.
  var path: [String]
  /// The command.
  var command: CommandSpec
  /// The words after it.
  var arguments: ArraySlice<String>

  /// Chooses subcommands by the words that stand first. `help COMMAND` is `COMMAND --help`.
  mutating func descend() throws(StyleModelError) {
    while !command.subcommands.isEmpty, let word = arguments.first, !looksLikeOption(word) {
      arguments.removeFirst()
      if word == "help" {
        arguments.append(GeneralOptions.help.typed)
        continue
      }
      guard let next = command.subcommands.first(where: { $0.name == word }) else {
        let guess = nearest(to: word, in: command.subcommands.map(\.name))
        throw usageError("unknown command '\(word)'", remedy: guess.map { "did you mean '\($0)'?" })
      }
      path.append(word)
      command = next
    }
  }

  /// Shows the help or the version where they are asked for anywhere; runs the command's body otherwise.
  func perform(on console: Console) throws(StyleModelError) -> Int32 {
    let options = arguments.prefix { $0 != "--" }
    let wantsHelp = options.contains(GeneralOptions.help.typed) || options.contains("-h")
    if wantsHelp || (command.body == nil && arguments.isEmpty) {
      console.print(helpText(of: command, path: path), terminator: "")
      return 0
    }
    if options.contains(GeneralOptions.version.typed) {
      console.print(stylemodelVersion)
      return 0
    }
    var parsed = try ArgumentParser.parse(Array(arguments), for: command)
    parsed.path = path
    guard let body = command.body else { throw usageError("missing command") }
    return try body(parsed, console)
  }
}

extension Console {
  /// Words an error for the user, with the usage where the command line is at fault and what to report where we are.
  /// - Returns: the exit status that goes with it.
  fileprivate func report(_ error: StyleModelError, of invocation: Invocation) -> Int32 {
    fail(error)
    switch error.kind {
    case .usage:
      note(usageText(lead: "Usage: ", path: invocation.path, command: invocation.command))
      note("  See '\(invocation.path.joined(separator: " ")) --help' for more information.")
    case .internalFault:
      note(
        "  This is a fault of stylemodel \(stylemodelVersion), not yours. Please report it with this message,"
      )
      note("  the command line, and the model file if you may share it.")
    case .gateFailed, .badInput, .cannotOpen, .cannotCreate, .cannotWrite: break
    }
    return error.kind.exitStatus
  }
}
