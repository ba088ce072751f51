import TestSupport
import Testing

@testable import CommandLine

@Suite struct ShellTests {
  /// The other shells are not everywhere; where one is, it must at least understand the script.
  @Test(arguments: Shell.allCases) func theShellReadsIt(_ kind: Shell) throws {
    guard isInstalled(kind.rawValue) else { return }
    let folder = try TemporaryFolder()
    let path = try folder.write(kind.completions(of: rootCommand).utf8, as: "completions")
    #expect(try shell("\(kind.rawValue) -n \(word(path))") == "")
  }

  @Test(.enabled(if: isInstalled("fish"))) func fishOffersTheSame() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(fishCompletions(of: rootCommand).utf8, as: "completions")
    func offered(_ line: String) throws -> [String] {
      let script = "set -x HOME \(folder.path); source \(path); cd \(folder.path); complete -C '\(line)'"
      return try shell("HOME=\(folder.path) fish --no-config -c " + word(script)).split(separator: "\n").map {
        String($0.prefix { $0 != "\t" })
      }
    }
    #expect(Set(try offered("stylemodel ")) == Set(rootCommand.subcommands.map(\.name)))
    #expect(try offered("stylemodel convert --io r") == ["raw255"])
    #expect(Set(try offered("stylemodel bench --")).isSuperset(of: benchCommand.options.map(\.typed)))
    #expect(try offered("stylemodel man be") == ["bench"])
  }

  @Test func everyShellKnowsEveryOption() {
    for command in rootCommand.subcommands {
      for option in command.options {
        #expect(
          Shell.zsh.completions(of: rootCommand).contains(
            "\(option.typed)" + (option.value == nil ? "[" : "=[")))
        #expect(Shell.fish.completions(of: rootCommand).contains("-l \(option.name) "))
      }
    }
  }

  @Test func othersAreNamed() throws {
    let refused = try capture(["completions", "tcsh"])
    #expect(refused.status == 64)
    #expect(
      refused.diagnostics.hasPrefix("Error: There are no completions for 'tcsh'; name bash, zsh or fish\n"))
  }
}
