import Testing

@testable import Evaluation

@Suite struct MarkupTests {
  @Test(arguments: [
    ("plain", "plain"),
    ("<script>alert('1')</script>", "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"),
    ("a\" onload=\"x", "a&quot; onload=&quot;x"),
    ("&amp;", "&amp;amp;"),
    // What XML cannot say, what ends a line, and what turns a line around.
    ("\u{0}\n\u{202E}\u{FFFE}", "\\u{0}\\u{a}\\u{202e}\\u{fffe}"),
    ("naïve 日本 🎨", "naïve 日本 🎨"),
  ])
  func textsAreEscaped(text: String, expected: String) {
    #expect(Markup(text: text).source == expected)
    let markup: Markup = "<b title=\"\(text)\">\(text)</b>"
    #expect(markup.source == "<b title=\"\(expected)\">\(expected)</b>")
  }

  @Test func markupGoesThroughAsItIs() {
    let inner: Markup = "<i>\("<")</i>"
    let outer: Markup = "<b>\(inner)\(7)</b>"
    #expect(outer.source == "<b><i>&lt;</i>7</b>")
    #expect(["<", "a"].markup { "<p>\($0)</p>" }.source == "<p>&lt;</p>\n<p>a</p>")
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func base64IsThatOfTheStandard(text: String, expected: String) {
    #expect(base64(Array(text.utf8)) == expected)
  }

  @Test func base64KnowsEveryDigit() {
    // 0x00108310… counts through all 64 values of six bits.
    var bytes: [UInt8] = []
    for value in stride(from: UInt32(0), to: 64, by: 4) {
      let group = value << 18 | (value + 1) << 12 | (value + 2) << 6 | (value + 3)
      bytes += [UInt8(group >> 16), UInt8(group >> 8 & 255), UInt8(group & 255)]
    }
    #expect(base64(bytes) == "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  }
}
