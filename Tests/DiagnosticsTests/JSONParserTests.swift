import Diagnostics
import Testing

@Suite struct JSONParserTests {
  static let documents: [(text: String, value: JSONValue)] = [
    ("null", .null),
    (" true ", true),
    ("false", false),
    ("0", 0),
    ("-17", -17),
    ("9223372036854775807", .integer(.max)),
    ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .number(9_223_372_036_854_775_808)),
    ("-0", .number(-0.0)),
    ("1.5", 1.5),
    ("1e-05", 1e-5),
    ("-2.5E+3", -2500.0),
    ("\"\"", ""),
    ("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "a\"\\/\u{8}\u{C}\n\r\t"),
    ("\"\\u00e9\\u20AC\"", "é€"),
    ("\"\\ud83d\\ude00 😀\"", "😀 😀"),
    ("[]", []),
    ("[ ]", []),
    ("[1, [2], \"x\"]", [1, [2], "x"]),
    ("{}", .object([])),
    ("\t{ \"b\" : 1 ,\r\n \"a\":{\"b\":null} } \n", ["b": 1, "a": ["b": .null]]),
  ]

  @Test(arguments: documents) func reads(_ document: (text: String, value: JSONValue)) throws {
    let value = try JSONValue(parsing: Array(document.text.utf8)[...])
    #expect(value == document.value)
    // What is read is what would be written.
    #expect(try JSONValue(parsing: Array(value.text(indented: true).utf8)[...]) == value)
    #expect(try JSONValue(parsing: Array(value.text(indented: false).utf8)[...]) == value)
  }

  static let faults: [(text: String, message: String)] = [
    ("", "byte 0: ends where a value should be"),
    ("  ", "byte 2: ends where a value should be"),
    ("tru", "byte 0: has 't' where a value should be"),
    ("nulls", "byte 4: goes on behind the end of the document"),
    ("{} {}", "byte 3: goes on behind the end of the document"),
    ("NaN", "byte 0: has 'N' where a value should be"),
    ("Infinity", "byte 0: has 'I' where a value should be"),
    ("\u{FEFF}1", "byte 0: has 0xef where a value should be"),
    ("01", "byte 1: goes on behind the end of the document"),
    ("1.", "byte 2: ends where a digit should be"),
    ("-", "byte 1: ends where a digit should be"),
    ("1e+", "byte 3: ends where a digit should be"),
    (".5", "byte 0: has '.' where a value should be"),
    ("[1e999]", "byte 1: has a number that is too large"),
    ("[1,]", "byte 3: has ']' where a value should be"),
    ("[1 2]", "byte 3: has '2' where ',' or ']' should be"),
    ("[1", "byte 2: ends where ',' or ']' should be"),
    ("{\"a\":1,}", "byte 7: has '}' where a key in quotes should be"),
    ("{a:1}", "byte 1: has 'a' where a key in quotes should be"),
    ("{\"a\" 1}", "byte 5: has '1' where ':' should be"),
    ("{\"a\":1", "byte 6: ends where ',' or '}' should be"),
    ("{\"a\":1,\"\\u0061\":2}", "byte 7: has the key 'a' twice in one object"),
    ("\"a", "byte 2: ends where the end of a string should be"),
    ("\"\\", "byte 2: ends where the rest of an escape should be"),
    ("\"\\x\"", "byte 2: has 'x' where one of \"\\/bfnrtu behind a backslash should be"),
    ("\"\\u12g4\"", "byte 5: has 'g' where four hexadecimal digits should be"),
    ("\"\\u12", "byte 5: ends where four hexadecimal digits should be"),
    ("\"\\ud800\"", "byte 3: has half a surrogate pair in a string"),
    ("\"\\udc00\\ud800\"", "byte 3: has half a surrogate pair in a string"),
    ("\"\\ud800\\u0041\"", "byte 3: has half a surrogate pair in a string"),
    ("\"a\nb\"", "byte 2: has a bare control character in a string"),
    ("// no\n1", "byte 0: has '/' where a value should be"),
  ]

  @Test(arguments: faults) func refuses(_ fault: (text: String, message: String)) {
    let error = #expect(throws: StyleModelError.self) {
      _ = try JSONValue(parsing: Array(fault.text.utf8)[...])
    }
    #expect(error?.message == fault.message)
    #expect(error?.kind == .badInput)
  }

  @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF5, 0x80, 0x80, 0x80]])
  func refusesWhatIsNotUTF8(_ bytes: [Int]) {
    let quote = UInt8(ascii: "\"")
    let document = [quote] + bytes.map { UInt8($0) } + [quote]
    let error = #expect(throws: StyleModelError.self) {
      _ = try JSONValue(parsing: document[...], place: "header")
    }
    #expect(error?.message == "header, byte 0: has a string that is not UTF-8")
  }

  @Test func countsBytesFromTheStartOfTheSlice() {
    let bytes = Array("....[1,]".utf8)
    let error = #expect(throws: StyleModelError.self) { _ = try JSONValue(parsing: bytes[4...]) }
    #expect(error?.place == "byte 3")
  }

  @Test(arguments: [
    (JSONValue.Limits(depth: 2), "[[[]]]", "nests more than 2 levels deep"),
    (JSONValue.Limits(byteCount: 4), "[1,2]", "is 5 bytes of JSON; up to 4 bytes are read"),
    (JSONValue.Limits(valueCount: 3), "[1,2,3]", "holds more than 3 values"),
  ])
  func keepsItsLimits(_ limits: JSONValue.Limits, _ text: String, _ problem: String) throws {
    let error = #expect(throws: StyleModelError.self) {
      _ = try JSONValue(parsing: Array(text.utf8)[...], limits: limits)
    }
    #expect(error?.problem == problem)
    #expect(throws: Never.self) { try JSONValue(parsing: Array(text.utf8)[...]) }
  }

  @Test func nestingIsNoCrash() {
    let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    let error = #expect(throws: StyleModelError.self) { _ = try JSONValue(parsing: bytes[...]) }
    #expect(error?.problem == "nests more than 128 levels deep")
  }

  @Test func truncationIsAlwaysAnError() {
    let bytes = Array(#"{"a": [1, -2.5e3, "x\u00e9"], "b": {"c": null, "d": true}}"#.utf8)
    for length in bytes.indices {
      #expect(throws: StyleModelError.self) { try JSONValue(parsing: bytes[..<length]) }
    }
  }

  @Test func givesWhatItHolds() throws {
    let value = try JSONValue(parsing: Array(#"{"a": [1, 2.5, true], "b": "x"}"#.utf8)[...])
    #expect(value["a"]?.items?.map(\.number) == [1, 2.5, nil])
    #expect(value["a"]?.items?.map(\.integer) == [1, nil, nil])
    #expect(value["a"]?.items?.map(\.bool) == [nil, nil, true])
    #expect(value["b"]?.string == "x")
    #expect(value["c"] == nil)
    #expect(value.members?.map(\.key) == ["a", "b"])
    #expect(value["b"]?.items == nil)
  }
}
