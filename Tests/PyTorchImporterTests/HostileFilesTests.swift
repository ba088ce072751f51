import Diagnostics
import Glibc
import Testing

@testable import PyTorchImporter

/// Every file of Fixtures/hostile is refused with the message that its messages.txt holds.
@Suite struct HostileFilesTests {
  /// A file that must be refused, and the message it must get.
  struct Refusal: CustomTestStringConvertible, Sendable {
    var file: String
    var message: String
    var testDescription: String { file }
  }

  private static let refusals: [Refusal] = {
    let bytes = (try? fixture("hostile/messages.txt")) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return Refusal(file: String(line[..<colon]), message: String(line[line.index(colon, offsetBy: 2)...]))
    }
  }()

  @Test(arguments: refusals) func isRefusedWithItsMessage(_ expected: Refusal) throws {
    let error = refusal(try fixture("hostile/" + expected.file))
    #expect(error?.message == expected.message)
    #expect(error?.kind == .badInput)
  }

  @Test func everyFileHasAMessage() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let folder = try #require(opendir("/\(root)/Fixtures/hostile"))
    defer { closedir(folder) }
    var files: Set<String> = []
    while let entry = readdir(folder) {
      // Folders hold the hostile files of other readers.
      if entry.pointee.d_type == UInt8(DT_DIR) { continue }
      files.insert(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    files.subtract(["messages.txt", "make_hostile.py"])
    #expect(Set(Self.refusals.map(\.file)) == files)
    #expect(files.count > 100)
  }
}
