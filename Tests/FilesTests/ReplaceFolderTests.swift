import Diagnostics
import Glibc
import TestSupport
import Testing

@testable import Files

@Suite struct ReplaceFolderTests {
  private let files: [(name: String, bytes: [UInt8])] = [("a/b/c", [1]), ("a/d", [2]), ("e", [3])]

  @Test func writesAndReplacesAsAWhole() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("out")
    try replaceFolder(path, with: [("old/file", [9])]) { _ in true }
    try replaceFolder(path, with: files) { $0 == ["old"] }
    #expect(try readFile(path + "/a/b/c") == [1])
    #expect(try listFolder(path) == ["a", "e"])
    #expect(folder.names == ["out"])
  }

  @Test func aSlashAtTheEndAndALinkAreFollowed() throws {
    let folder = try TemporaryFolder()
    try replaceFolder(folder.path("real") + "/", with: [("old", [9])]) { _ in true }
    symlink("real", folder.path("link"))
    try replaceFolder(folder.path("link"), with: files) { _ in true }
    #expect(try readFile(folder.path("real/e")) == [3])
    #expect(isSymbolicLink(folder.path("link")))
    #expect(folder.names == ["link", "real"])
  }

  @Test func otherFoldersAndFilesAreLeftAlone() throws {
    let folder = try TemporaryFolder()
    let path = folder.makeFolder("photos")
    try folder.write([7], as: "photos/holiday.jpg")
    var error = #expect(throws: StyleModelError.self) { try replaceFolder(path, with: files) { $0.isEmpty } }
    #expect(
      error?.kind == .cannotCreate
        && error?.problem == "is a folder that holds other files, which would be lost")
    error = #expect(throws: StyleModelError.self) {
      try replaceFolder(folder.path("photos/holiday.jpg"), with: files) { _ in true }
    }
    #expect(error?.kind == .cannotCreate)
    #expect(try readFile(folder.path("photos/holiday.jpg")) == [7])
    #expect(folder.names == ["photos"])
  }

  @Test func whatCannotBeCreatedIsNamedAndLeavesNothing() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: StyleModelError.self) {
      try replaceFolder(folder.path("none/out"), with: files) { _ in true }
    }
    #expect(error?.kind == .cannotCreate)
    try replaceFolder(folder.path("out"), with: [("kept", [5])]) { _ in true }
    // A name that is a folder already cannot be a file.
    let broken = #expect(throws: StyleModelError.self) {
      try replaceFolder(folder.path("out"), with: [("a/b", [1]), ("a", [2])]) { _ in true }
    }
    #expect(broken?.kind == .cannotWrite)
    #expect(try readFile(folder.path("out/kept")) == [5])
    #expect(folder.names == ["out"])
  }

  /// Links within the old folder are removed, not what they point to.
  @Test func whatLinksPointToSurvives() throws {
    let folder = try TemporaryFolder()
    try folder.write([4], as: "precious")
    try replaceFolder(folder.path("out"), with: [("x", [1])]) { _ in true }
    symlink(folder.path("precious"), folder.path("out/link"))
    symlink(folder.path, folder.path("out/up"))
    try replaceFolder(folder.path("out"), with: files) { _ in true }
    #expect(try readFile(folder.path("precious")) == [4])
    #expect(folder.names == ["out", "precious"])
  }
}
