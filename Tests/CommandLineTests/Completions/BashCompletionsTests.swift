import TestSupport
import Testing

@testable import CommandLine

/// bash itself is asked: the script is sourced and its function called as the shell calls it.
@Suite struct BashCompletionsTests {
  private let folder: TemporaryFolder
  private let script: String

  init() throws {
    folder = try TemporaryFolder()
    script = try folder.write(bashCompletions(of: rootCommand).utf8, as: "completions")
    for name in ["a model.pth", "a.stylemodel", "other.txt"] { try folder.write("".utf8, as: name) }
    _ = folder.makeFolder("a folder")
  }

  /// What is offered for the last of the words.
  private func offered(_ words: String...) throws -> [String] {
    let array = (["stylemodel"] + words).map(word).joined(separator: " ")
    let line =
      "set -u; source \(word(script)); cd \(word(folder.path)); COMP_WORDS=(\(array)); "
      + "COMP_CWORD=\(words.count); _stylemodel; printf '%s\\n' \"${COMPREPLY[@]}\""
    return try shell("bash --norc -c " + word(line)).split(separator: "\n").map(String.init)
  }

  @Test func offersCommands() throws {
    #expect(try offered("") == rootCommand.subcommands.map(\.name) + ["help"])
    #expect(try offered("ins") == ["inspect"])
    #expect(try offered("help", "conv") == ["convert"])
    #expect(try offered("--v") == ["--version"])
    #expect(try offered("nonsense", "") == [])
  }

  @Test(arguments: rootCommand.subcommands) func offersEveryOption(of command: CommandSpec) throws {
    #expect(Set(try offered(command.name, "--")) == Set(command.options.map(\.typed)))
  }

  @Test func offersWhatAnOptionTakes() throws {
    #expect(try offered("convert", "--io", "") == ["imagenet", "raw255", "unit", "signed"])
    #expect(try offered("convert", "x.pth", "--io", "=", "r") == ["raw255"])
    #expect(try offered("convert", "--io", "=") == ["imagenet", "raw255", "unit", "signed"])
    #expect(try offered("stylize", "--fit", "p") == ["pad"])
    #expect(try offered("bench", "--runs", "") == [])
    #expect(try offered("eval", "--images", "") == ["a folder"])
    #expect(Set(try offered("convert", "-o", "a")) == ["a folder", "a model.pth", "a.stylemodel"])
    #expect(try offered("completions", "") == ["bash", "zsh", "fish"])
    #expect(try offered("man", "ev") == ["eval"])
  }

  @Test func offersFilesAsOperands() throws {
    #expect(Set(try offered("inspect", "a")) == ["a folder", "a model.pth", "a.stylemodel"])
    #expect(try offered("convert", "--int8", "o") == ["other.txt"])
  }
}
