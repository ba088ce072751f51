import Diagnostics
import Testing

@testable import Archives

@Suite struct ZipArchiveTests {
  @Test func readsStoredAndDeflatedMembers() throws {
    let text = Array("the same line again and again and again and again\n".utf8)
    // The raw deflate of fifty letters a: a literal and a match.
    let deflated: [UInt8] = [0x4B, 0x4C, 0x24, 0x15, 0x00, 0x00]
    let archive = try ZipArchive(
      TestZip(members: [
        .init(name: "folder/a.txt", content: text),
        .init(name: "folder/b.txt", content: [UInt8](repeating: 0x61, count: 50), deflated: deflated),
        .init(name: "empty", content: []),
      ]).bytes)
    #expect(archive.entries.map(\.name) == ["folder/a.txt", "folder/b.txt", "empty"])
    #expect(archive.entries.map(\.method) == [.stored, .deflated, .stored])
    #expect(archive.entries.map(\.size) == [50, 50, 0])
    for (entry, content) in zip(archive.entries, [text, [UInt8](repeating: 0x61, count: 50), []]) {
      #expect(Array(try archive.read(entry)) == content)
    }
    #expect(archive.entry(named: "empty")?.size == 0)
    #expect(archive.entry(named: "none") == nil)
  }

  @Test func anEmptyArchiveHasNoMembers() throws {
    #expect(try ZipArchive(TestZip(members: []).bytes).entries.isEmpty)
  }

  @Test func aCommentAfterTheDirectoryIsPassedOver() throws {
    let archive = try ZipArchive(TestZip(members: [.init(name: "a", content: [1])], comment: "hello").bytes)
    #expect(archive.entries.map(\.name) == ["a"])
  }

  @Test func bytesBehindTheEndRecordAreRefused() {
    let bytes = TestZip(members: [.init(name: "a", content: [1])]).bytes + [0]
    #expect(throws: StyleModelError.self) { try ZipArchive(bytes) }
  }

  @Test func aMemberThatFailsItsChecksumIsRefusedWhenItIsRead() throws {
    var bytes = TestZip(members: [.init(name: "a", content: [1, 2, 3]), .init(name: "b", content: [4])]).bytes
    let archive = try ZipArchive(bytes)
    bytes[archive.entries[0].storedRange.lowerBound] ^= 1
    let damaged = try ZipArchive(bytes)
    do {
      _ = try damaged.read(damaged.entries[0])
      Issue.record("read a damaged member")
    } catch {
      #expect(error.place == "a" && error.problem == "fails its CRC-32 check")
    }
    #expect(Array(try damaged.read(damaged.entries[1])) == [4])
  }

  @Test func whatMembersInflateToIsBoundedByTheFile() {
    #expect(ZipArchive.expansionLimit(fileSize: 0) == 64 << 20)
    #expect(ZipArchive.expansionLimit(fileSize: 1 << 20) == 96 << 20)
    #expect(ZipArchive.expansionLimit(fileSize: .max) == .max)
  }
}

/// A zip of a few members, written without an opinion on whether they are sound.
private struct TestZip {
  struct Member {
    var name: String
    var content: [UInt8]
    var deflated: [UInt8]?
  }

  var members: [Member]
  var comment = ""

  var bytes: [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    for member in members {
      let stored = member.deflated ?? member.content
      let common =
        little(UInt16(0)) + little(UInt16(member.deflated == nil ? 0 : 8)) + little(UInt32(0))
        + little(crc32(of: member.content[...])) + little(UInt32(stored.count))
        + little(UInt32(member.content.count)) + little(UInt16(member.name.utf8.count)) + little(UInt16(0))
      let offset = UInt32(file.count)
      file += little(UInt32(0x0403_4B50)) + little(UInt16(20)) + common + Array(member.name.utf8) + stored
      directory += little(UInt32(0x0201_4B50)) + little(UInt16(20)) + little(UInt16(20)) + common
      directory += [UInt8](repeating: 0, count: 10) + little(offset) + Array(member.name.utf8)
    }
    let end =
      little(UInt32(0x0605_4B50)) + little(UInt32(0)) + little(UInt16(members.count))
      + little(UInt16(members.count)) + little(UInt32(directory.count)) + little(UInt32(file.count))
      + little(UInt16(comment.utf8.count))
    return file + directory + end + Array(comment.utf8)
  }

  private func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
