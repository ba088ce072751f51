import Testing

@testable import CommandLine

@Suite struct UsageLineTests {
  @Test func usageWrapsBetweenParts() {
    let command = CommandSpec(
      "long", overview: "", operands: [Operand("INPUT", "")],
      sections: [
        OptionSection("OPTIONS", (1...9).map { OptionSpec("option-\($0)", inUsage: true, "") })
      ])
    #expect(
      usageText(lead: "Usage: ", path: ["p", "long"], command: command) == """
        Usage: p long INPUT [--option-1] [--option-2] [--option-3] [--option-4]
                      [--option-5] [--option-6] [--option-7] [--option-8] [--option-9]
        """)
  }
}
