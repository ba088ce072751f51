import Testing

@testable import Diagnostics

@Suite struct TextFormattingTests {
  @Test func numbersForPeople() {
    #expect(fixed(52.804, 2) == "52.80")
    #expect(fixed(.infinity, 2) == "inf")
    #expect(fixed(-1e300, 0).count == 302)
    #expect(grouped(1_674_432) == "1,674,432")
    #expect(grouped(-999) == "-999")
    #expect(byteSize(137) == "137 bytes")
    #expect(byteSize(6_736_313) == "6.74 MB")
    #expect(counted(1, "tensor") == "1 tensor")
    #expect(counted(0, "entry", "entries") == "0 entries")
  }

  @Test func messagesNameFilePlaceProblemAndRemedy() {
    let error = StyleModelError(
      .badInput, place: "tensor a\u{1B}[31m", "is cut off", remedy: "download it again")
    #expect(error.inFile("x.pth").message == "x.pth: tensor a\\u{1b}[31m: is cut off; download it again")
    #expect(error.inFile("x.pth").inFile("y.pth").file == "x.pth")
  }

  @Test func jsonKeepsKeyOrderAndEscapes() {
    let value: JSONValue = ["b": 1, "a": [0.5, true, .null, .number(.infinity)], "c": "q\"\n\u{1}"]
    #expect(value.text(indented: false) == "{\"b\":1,\"a\":[0.5,true,null,null],\"c\":\"q\\\"\\n\\u0001\"}")
    #expect(JSONValue.array([]).text(indented: true) == "[]")
    #expect(JSONValue.array([1]).text(indented: true) == "[\n  1\n]")
  }
}
