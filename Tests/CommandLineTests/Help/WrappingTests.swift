import Testing

@testable import CommandLine

@Suite struct WrappingTests {
  @Test func breaksBetweenWordsAndNeverLosesOne() {
    #expect(wrapped("one two three", width: 7) == ["one two", "three"])
    #expect(wrapped("one two three", width: 6) == ["one", "two", "three"])
    #expect(wrapped("a incomprehensible b", width: 5) == ["a", "incomprehensible", "b"])
    #expect(wrapped("", width: 5) == [])
  }

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

  @Test func hangingLinesKeepTheirStart() {
    #expect(hanging("read     one two three", indent: 4, width: 16) == ["read     one two", "    three"])
    #expect(hanging("short", indent: 4, width: 16) == ["short"])
    #expect(hanging("    " + String(repeating: "x", count: 30), indent: 4, width: 16).count == 1)
    #expect(hanging("a b c d", indent: 2, width: 3) == ["a b", "  c", "  d"])
  }
}
