import Testing

@testable import CommandLine

@Suite struct ArgumentParserTests {
  static let input = Operand("INPUT", "")
  static let others = Operand("OTHER", count: .zeroOrMore, "")
  static let output = ValueOption("output", short: "o", .file("FILE"), "")
  static let level = ValueOption("level", short: "l", .integer("N", in: -9...9), "")
  static let bias = ValueOption("bias", .channels, "")
  static let report = ValueOption("report", .file("FILE"), repeatable: true, "")
  static let quiet = OptionSpec("quiet", short: "q", "")
  static let command = CommandSpec(
    "test", overview: "", operands: [input, others],
    sections: [OptionSection("OPTIONS", [output.spec, level.spec, bias.spec, report.spec, quiet])])

  private func parse(_ line: String...) throws -> ParsedArguments {
    try ArgumentParser.parse(line, for: Self.command)
  }

  @Test(arguments: [
    ["--output", "x.png", "in"], ["--output=x.png", "in"], ["-o", "x.png", "in"], ["-ox.png", "in"],
    ["-o=x.png", "in"], ["in", "-o", "x.png"], ["-o", "x.png", "--", "in"],
  ]) func everyWayToGiveAValue(line: [String]) throws {
    let parsed = try ArgumentParser.parse(line, for: Self.command)
    #expect(parsed[Self.output] == "x.png")
    #expect(parsed.one(Self.input) == "in")
    #expect(parsed.all(Self.others).isEmpty)
  }

  @Test func numbersBelowZeroAreValuesAndOperands() throws {
    let parsed = try parse("-5", "--level", "-3", "--bias", "-.5,1,-2e-3")
    #expect(parsed.one(Self.input) == "-5")
    #expect(parsed[Self.level] == -3)
    #expect(parsed[Self.bias] == [-0.5, 1, -0.002])
    #expect(try parse("in", "-l-3")[Self.level] == -3)
  }

  @Test func afterTwoDashesNothingIsAnOption() throws {
    let parsed = try parse("a", "--", "--quiet", "-o", "--")
    #expect(parsed.all(Self.others) == ["--quiet", "-o", "--"])
    #expect(!parsed.has(Self.quiet))
  }

  @Test func aSingleDashIsAName() throws {
    let parsed = try parse("-", "-o", "-")
    #expect(parsed.one(Self.input) == "-")
    #expect(parsed[Self.output] == "-")
  }

  @Test func repeatedOptionsKeepTheirOrder() throws {
    let parsed = try parse("a", "--report", "x", "b", "--report=y", "-q")
    #expect(parsed.all(Self.report) == ["x", "y"])
    #expect(parsed.all(Self.others) == ["b"])
    #expect(parsed.has(Self.quiet) && parsed.has("quiet") && !parsed.has("output"))
    #expect(parsed[Self.level] == nil)
  }

  @Test func valuesMayHoldEqualsSigns() throws {
    #expect(try parse("a", "--output=x=y.png")[Self.output] == "x=y.png")
  }
}
