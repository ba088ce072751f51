import Testing

@testable import Diagnostics

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("int9", "int8", 1), ("ouptut", "output", 1), ("kitten", "sitting", 3),
    ("abc", "", 3), ("ab", "ba", 1),
  ]) func distances(first: String, second: String, expected: Int) {
    #expect(editDistance(first, second) == expected)
    #expect(editDistance(second, first) == expected)
  }

  @Test func onlyWhatIsNearIsSuggested() {
    let names = ["int8", "fp16", "fp32", "images", "input-scale", "input-bias"]
    #expect(nearest(to: "int9", in: names) == "int8")
    #expect(nearest(to: "image", in: names) == "images")
    #expect(nearest(to: "ima", in: names) == "images")
    #expect(nearest(to: "input", in: names) == nil)
    #expect(nearest(to: "quiet", in: names) == nil)
    #expect(nearest(to: "x", in: []) == nil)
  }
}
