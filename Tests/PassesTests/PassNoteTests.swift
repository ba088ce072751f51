import Testing

@testable import Passes

@Suite struct PassNoteTests {
  @Test func notesThatSayTheSameAreCounted() {
    let notes = [
      PassNote(pass: "a", .done, subject: "w1", "removed"),
      PassNote(pass: "b", .leftAlone, subject: "w2", "stays"),
      PassNote(pass: "a", .done, subject: "w3", "removed"),
      PassNote(pass: "c", .done, subject: "w4", "removed"),
    ]
    #expect(PassNote.summary(of: notes) == ["2 layers: removed", "w2: stays", "w4: removed"])
    #expect(PassNote.summary(of: []).isEmpty)
  }

  @Test func namesFromFilesArePrintedSafely() {
    #expect("\(PassNote(pass: "a", .done, subject: "w\u{1B}[31m", "removed"))" == "w\\u{1b}[31m: removed")
  }
}
