import Testing

@testable import Diagnostics

@Suite struct TextTableTests {
  @Test func alignsAndRules() {
    var table = TextTable(.left("Picture"), .right("PSNR"), .left("Note"))
    table.add("astronaut.png", "52.80", "")
    table.add("flat", "inf", "identical")
    #expect(
      table.lines() == [
        "  Picture         PSNR  Note",
        "  -------------  -----  ---------",
        "  astronaut.png  52.80",
        "  flat             inf  identical",
      ])
  }

  @Test func cutsWordsInTheMiddleButNeverNumbers() {
    var table = TextTable(.left("Name"), .right("Bytes"))
    table.add("residual.4.convolution.2.weight", "1,234,567,890,123")
    #expect(table.lines(indent: 0, width: 33).last == "residua…weight  1,234,567,890,123")
    #expect(table.lines(indent: 0, width: 10).allSatisfy { $0.count == 8 + 2 + 17 })
  }

  @Test func anEmptyTableIsItsHead() {
    #expect(TextTable(.left("A"), .right("BB")).lines(indent: 0) == ["A  BB", "-  --"])
  }
}
