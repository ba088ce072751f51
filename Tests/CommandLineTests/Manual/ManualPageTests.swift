import TestSupport
import Testing

@testable import CommandLine

@Suite struct ManualPageTests {
  static let pages = [[]] + rootCommand.subcommands.map { [$0.name] }

  private func page(_ path: [String]) throws -> String {
    let printed = try capture(["man"] + path)
    #expect(printed.status == 0 && printed.diagnostics.isEmpty)
    return printed.output
  }

  @Test(arguments: pages) func hasItsSectionsInPlainASCII(path: [String]) throws {
    let page = try page(path)
    let name = (["stylemodel"] + path).joined(separator: #"\-"#)
    #expect(page.contains("\n.SH NAME\n\(name) \\- "))
    for section in ["SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "EXAMPLES", "SEE ALSO"] {
      #expect(page.contains("\n.SH \(section)\n"), "\(section)")
    }
    #expect(page.utf8.allSatisfy { $0 < 0x80 && ($0 >= 0x20 || $0 == 0x0A) })
    for status in [0, 1, 64, 65, 66, 70, 73, 74] { #expect(page.contains("\n.B \(status)\n")) }
  }

  @Test(arguments: rootCommand.subcommands) func holdsEveryOption(of command: CommandSpec) throws {
    let page = try page([command.name])
    for option in command.options {
      let typed = option.typed.split(separator: "-", omittingEmptySubsequences: false).joined(
        separator: #"\-"#)
      #expect(page.contains("\\fB\(typed)\\fR"), "\(option.typed)")
    }
  }

  @Test(arguments: pages) func thereIsNothingToComplainAbout(path: [String]) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(try page(path).utf8, as: "page.1")
    if isInstalled("mandoc") {
      // The page has no date on purpose: the same sources give the same page.
      let complaints = try shell("mandoc -Tlint -W warning \(file)").split(separator: "\n")
      #expect(complaints.filter { !$0.contains("missing date") } == [])
    }
    if isInstalled("groff") { #expect(try shell("groff -ww -man -Tascii \(file) > /dev/null") == "") }
  }

  @Test func anUnknownCommandIsNamed() throws {
    let refused = try capture(["man", "convrt"])
    #expect(refused.status == 64)
    #expect(refused.diagnostics.hasPrefix("Error: Unknown command 'convrt'; did you mean 'convert'?\n"))
  }
}
