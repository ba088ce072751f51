import Testing

@testable import Archives

@Suite struct ByteCursorTests {
  @Test func readsFromTheStartOfASliceAndNeverBeyondItsEnd() {
    let bytes: [UInt8] = [9, 9, 1, 2, 3, 4, 5, 9]
    var cursor = ByteCursor(bytes[2..<7])
    #expect(cursor.integer(UInt16.self) == 0x0201)
    #expect(cursor.remaining == 3)
    #expect(cursor.integer(UInt32.self) == nil)
    #expect(cursor.take(-1) == nil)
    #expect(cursor.take(4) == nil)
    #expect(cursor.take(.max) == nil)
    #expect(cursor.take(2) == [3, 4])
    #expect(cursor.line() == nil)
    #expect(cursor.integer(Int8.self) == 5)
    #expect(cursor.integer(UInt8.self) == nil)
  }

  @Test func linesEndWithALineFeed() {
    var cursor = ByteCursor(Array("ab\n\nc".utf8)[...])
    #expect(cursor.line() == [0x61, 0x62])
    #expect(cursor.line() == [])
    #expect(cursor.line() == nil)
    #expect(cursor.remaining == 1)
  }
}
