import Diagnostics
import Glibc
import Testing

@testable import Files

@Suite struct WriteFileTests {
  @Test func replacesAsAWholeAndLeavesNothingBehind() throws {
    let folder = try temporaryFolder()
    let path = folder + "/a.bin"
    try replaceFile(path, with: [1, 2, 3])
    try replaceFile(path, with: [4])
    #expect(try readFile(path) == [4])
    #expect(try entries(of: folder) == ["a.bin"])
  }

  @Test func followsALinkAndKeepsPermissions() throws {
    let folder = try temporaryFolder()
    try replaceFile(folder + "/real", with: [1])
    chmod(folder + "/real", 0o640)
    symlink("real", folder + "/link")
    try replaceFile(folder + "/link", with: [2])
    #expect(try readFile(folder + "/real") == [2])
    var status = stat()
    lstat(folder + "/link", &status)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    stat(folder + "/real", &status)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  @Test func namesWhatCannotBeOpenedOrCreated() throws {
    let folder = try temporaryFolder()
    #expect(throws: StyleModelError.self) { try readFile(folder) }
    #expect(throws: StyleModelError.self) { try readFile("/dev/zero") }
    do {
      _ = try readFile(folder + "/none")
      Issue.record("read a missing file")
    } catch { #expect(error.kind == .cannotOpen && error.message.contains("No such file")) }
    symlink("circle", folder + "/circle")
    do {
      _ = try readFile(folder + "/circle")
      Issue.record("read a link to itself")
    } catch { #expect(error.kind == .cannotOpen && error.remedy == "check the name") }
    do {
      try replaceFile(folder + "/no/such", with: [])
      Issue.record("wrote into a missing folder")
    } catch { #expect(error.kind == .cannotCreate) }
  }

  @Test(arguments: [SIGINT, SIGTERM]) func aSignalLeavesNoHalfFile(number: Int32) async throws {
    let folder = try temporaryFolder()
    await #expect(processExitsWith: .signal(number)) {
      [folder = folder as String, number = number as Int32] in
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
    #expect(try entries(of: folder) == [])
  }

  private func temporaryFolder() throws -> String {
    var template = Array("/tmp/stylemodel-files-XXXXXX".utf8CString)
    let path = try #require(mkdtemp(&template))
    return String(cString: path)
  }

  private func entries(of folder: String) throws -> [String] {
    let handle = try #require(opendir(folder))
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
