import Diagnostics
import Testing

@testable import Archives

/// The kinds that a few bytes tell; Fixtures/hostile has a whole file of each that people pass by mistake.
@Suite struct FileKindTests {
  @Test(arguments: [
    ([0x89, 0x53, 0x54, 0x59, 0x4C, 0x45, 0x0D, 0x0A, 1], FileKind.styleModel),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
    ([0xFF, 0xD8, 0xFF, 0xE1], .jpeg),
    ([0x42, 0x4D, 6, 0, 0, 0], .bmp),
    ([0x42, 0x4D, 7, 0, 0, 0], .unknown),
    ([0x80, 2, 0x7D, 0x2E], .plainPickle),
    ([0x80, 4, 0x95, 0, 0, 0, 0, 0, 0, 0, 0, 0x7D, 0x2E], .plainPickle),
    ([0x80, 9, 0x7D, 0x2E], .unknown),
    ([0x50, 0x4B, 3, 4, 20, 0], .truncatedZip(count: 6)),
    ([], .empty),
    ([0], .unknown),
    ([8], .unknown),
    ([8, 8, 0x3A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], .onnx),
    ([8, 8, 0x12], .unknown),
  ])
  func tellsBytes(_ bytes: [UInt8], _ kind: FileKind) {
    #expect(FileKind.identify(bytes) == kind)
  }

  @Test(arguments: [
    ("<HTML><body>", FileKind.html),
    ("\u{FEFF}<!doctype HTML>", .html),
    ("<!-- saved --><html>", .html),
    ("<?xml version=\"1.0\"?><html xmlns=\"\">", .html),
    ("<?xml version=\"1.0\"?><Error/>", .xml),
    ("  [1, 2]", .json),
    ("Stilübertragung\n", .text),
    ("GIF89a", .gif),
    ("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 132\n", .gitLFSPointer(size: 132)),
    ("version https://git-lfs.github.com/spec/v1\r\nsize 132\r\n", .gitLFSPointer(size: 132)),
    ("version https://git-lfs.github.com/spec/v1\noid sha256:00\n", .gitLFSPointer(size: nil)),
    ("4\n1\n3\nV 1\n13\nnn.Sequential\n", .luaTorch),
    ("(dp0\n.", .plainPickle),
  ])
  func tellsTexts(_ text: String, _ kind: FileKind) {
    #expect(FileKind.identify(Array(text.utf8)) == kind)
  }

  @Test func aLongTextMayBeCutInsideALetter() {
    for start in 0..<3 {
      let text = String(repeating: "x", count: start) + String(repeating: "…", count: 2000)
      #expect(FileKind.identify(Array(text.utf8)) == .text)
    }
  }

  @Test func refusalsSayWhatItIsAndWhatWasWanted() {
    #expect(FileKind.jpeg.refusal(wanted: "model").message == "is a JPEG image, not a model")
    #expect(
      FileKind.styleModel.refusal(wanted: "checkpoint").problem == "is a .stylemodel file, not a checkpoint")
    #expect(FileKind.coreML.refusal(wanted: "model").problem == "is a Core ML model, which is not read yet")
    #expect(
      FileKind.gitLFSPointer(size: 6_726_090).refusal(wanted: "model").message
        == "is a Git LFS pointer (real size 6,726,090 bytes); fetch the file with `git lfs pull`")
    #expect(
      FileKind.truncatedZip(count: 1340).refusal(wanted: "model").message
        == "is a truncated zip: end record missing, have 1,340 bytes; download it again")
  }
}
