import Testing

@testable import Diagnostics

@Suite struct WrappingTests {
  @Test func breaksBetweenWordsAndNeverLosesOne() {
    #expect(wrapped("one two three", width: 7) == ["one two", "three"])
    #expect(wrapped("one two three", width: 6) == ["one", "two", "three"])
    #expect(wrapped("a incomprehensible b", width: 5) == ["a", "incomprehensible", "b"])
    #expect(wrapped("", width: 5) == [])
  }

  @Test func hangingLinesKeepTheirStart() {
    #expect(hanging("read     one two three", indent: 4, width: 16) == ["read     one two", "    three"])
    #expect(hanging("short", indent: 4, width: 16) == ["short"])
    #expect(hanging("    " + String(repeating: "x", count: 30), indent: 4, width: 16).count == 1)
    #expect(hanging("a b c d", indent: 2, width: 3) == ["a b", "  c", "  d"])
  }
}
