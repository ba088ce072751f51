import Files
import Glibc
import StyleModelKit
import Testing

@testable import CommandLine

@Suite struct HelpTextTests {
  /// Each command by the words that choose it; the first is `stylemodel` itself.
  static let paths = [[]] + rootCommand.subcommands.map { [$0.name] }

  /// Set `STYLEMODEL_REWRITE_SNAPSHOTS` to write the files anew, and read the difference before committing it.
  @Test(arguments: paths) func isAsRecorded(path: [String]) throws {
    let help = try capture(path + ["--help"])
    #expect(help.status == 0 && help.diagnostics.isEmpty)
    let name = (["stylemodel"] + path).joined(separator: "-") + ".txt"
    let file = folder(of: #filePath, up: 2) + "/Snapshots/" + name
    if getenv("STYLEMODEL_REWRITE_SNAPSHOTS") != nil { try replaceFile(file, with: help.output.utf8) }
    #expect(String(decoding: try readFile(file), as: UTF8.self) == help.output)
  }

  @Test(arguments: paths) func fitsTheTerminal(path: [String]) throws {
    for line in try capture(path + ["-h"]).output.split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
  }

  /// An example that its own command would refuse teaches a mistake.
  @Test(arguments: [rootCommand] + rootCommand.subcommands) func examplesParse(command: CommandSpec) throws {
    #expect(!command.examples.isEmpty)
    for example in command.examples {
      var invocation = Invocation(
        path: ["stylemodel"], command: rootCommand,
        arguments: example.line.split(separator: " ").map(String.init).prefix {
          !["|", ">", ">>"].contains($0)
        })
      try invocation.descend()
      _ = try ArgumentParser.parse(Array(invocation.arguments), for: invocation.command)
    }
  }

  @Test func helpStandsAnywhereAndInFrontOfErrors() throws {
    let help = try capture(["convert", "--help"])
    #expect(try capture(["help", "convert"]) == help)
    #expect(try capture(["convert", "--nonsense", "-h", "a", "b"]) == help)
    #expect(try capture(["convert", "--", "--help", "b"]).status == 64)
    #expect(try capture([]) == capture(["--help"]))
    #expect(try capture(["bench", "--version"]).output == stylemodelVersion + "\n")
  }

  @Test func everyOptionHasOneNameAndOneLetterInItsCommand() {
    for command in rootCommand.subcommands {
      let names = command.options.map(\.name)
      let letters = command.options.compactMap(\.short)
      #expect(Set(names).count == names.count, "\(command.name)")
      #expect(Set(letters).count == letters.count, "\(command.name)")
      #expect(
        command.options.allSatisfy { $0.help.hasSuffix(".") || $0.help.hasSuffix(").") }, "\(command.name)")
      #expect(command.operands.dropLast().allSatisfy { $0.count == .one }, "\(command.name)")
    }
  }
}

private func folder(of path: String, up levels: Int) -> String {
  path.split(separator: "/", omittingEmptySubsequences: false).dropLast(levels).joined(separator: "/")
}
