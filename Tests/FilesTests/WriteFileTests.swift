import Diagnostics
import Glibc
import TestSupport
import Testing

@testable import Files

@Suite struct WriteFileTests {
  @Test func replacesAsAWholeAndLeavesNothingBehind() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.bin")
    try replaceFile(path, with: [1, 2, 3])
    try replaceFile(path, with: [4])
    #expect(try readFile(path) == [4])
    #expect(folder.names == ["a.bin"])
  }

  @Test func followsALinkAndKeepsPermissions() throws {
    let folder = try TemporaryFolder()
    try replaceFile(folder.path("real"), with: [1])
    chmod(folder.path("real"), 0o640)
    symlink("real", folder.path("link"))
    try replaceFile(folder.path("link"), with: [2])
    #expect(try readFile(folder.path("real")) == [2])
    var status = stat()
    lstat(folder.path("link"), &status)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    stat(folder.path("real"), &status)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  @Test func namesWhatCannotBeOpenedOrCreated() throws {
    let folder = try TemporaryFolder()
    #expect(throws: StyleModelError.self) { try readFile(folder.path) }
    #expect(throws: StyleModelError.self) { try readFile("/dev/zero") }
    do {
      _ = try readFile(folder.path("none"))
      Issue.record("read a missing file")
    } catch { #expect(error.kind == .cannotOpen && error.message.contains("No such file")) }
    symlink("circle", folder.path("circle"))
    do {
      _ = try readFile(folder.path("circle"))
      Issue.record("read a link to itself")
    } catch { #expect(error.kind == .cannotOpen && error.remedy == "check the name") }
    do {
      try replaceFile(folder.path("no/such"), with: [])
      Issue.record("wrote into a missing folder")
    } catch { #expect(error.kind == .cannotCreate) }
  }

  @Test(arguments: [SIGINT, SIGTERM]) func aSignalLeavesNoHalfFile(number: Int32) async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .signal(number)) {
      [folder = folder.path as String, number = number as Int32] in
      prepareToRemoveUnfinishedFile()
      signal(number) { number in
        removeUnfinishedFile()
        signal(number, SIG_DFL)
        raise(number)
      }
      // Exit tests start with signals blocked.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_UNBLOCK, &all, nil)
      // The bytes are asked for when the file beside the target exists.
      let bytes = sequence(first: UInt8(0)) { byte in
        if byte == 100 { raise(number) }
        return byte == 200 ? nil : byte + 1
      }
      try replaceFile(folder + "/a.bin", with: bytes)
    }
    #expect(folder.names == [])
  }
}
