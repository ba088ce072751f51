import Diagnostics
import Dispatch
import Files
import TestSupport
import Testing

@testable import Files

@Suite struct ContentCacheTests {
  @Test func givesBackWhatWasStored() throws {
    let folder = try TemporaryFolder()
    let cache = try ContentCache(folder: folder.path("a/b/cache"))
    let key = ContentKey("numbers", ["one", "two"])
    #expect(cache.bytes(for: key) == nil)
    try cache.store([1, 2, 3], for: key)
    #expect(try ContentCache(folder: folder.path("a/b/cache")).bytes(for: key) == [1, 2, 3])
    #expect(cache.bytes(for: ContentKey("numbers", ["two", "one"])) == nil)
    try cache.store([], for: key)
    #expect(cache.bytes(for: key) == [])
  }

  /// Where one part ends and the next begins is part of the key.
  @Test func keysDoNotRunIntoEachOther() {
    let keys = [
      ContentKey("a", ["bc"]), ContentKey("ab", ["c"]), ContentKey("a", ["b", "c"]),
      ContentKey("a", ["bc", ""]),
      ContentKey("a", ["", "bc"]), ContentKey("abc", [String]()),
    ]
    #expect(Set(keys).count == keys.count)
  }

  /// Whatever happens to an entry, it is missing then, and never another one.
  @Test func damageCountsAsMissing() throws {
    let folder = try TemporaryFolder()
    let cache = try ContentCache(folder: folder.path)
    let key = ContentKey("numbers", ["x"])
    try cache.store(Array(0..<50), for: key)
    let good = try readFile(cache.path(key))
    for index in good.indices {
      var bad = good
      bad[index] ^= 0x10
      try replaceFile(cache.path(key), with: bad)
      #expect(cache.bytes(for: key) == nil)
    }
    for length in good.indices {
      try replaceFile(cache.path(key), with: good[..<length])
      #expect(cache.bytes(for: key) == nil)
    }
    // An entry in another one's place.
    let other = ContentKey("numbers", ["y"])
    try cache.store([7], for: other)
    try replaceFile(cache.path(key), with: try readFile(cache.path(other)))
    #expect(cache.bytes(for: key) == nil)
    try cache.store(Array(0..<50), for: key)
    #expect(cache.bytes(for: key) == Array(0..<50))
  }

  @Test func manyWritersAndReadersSeeWholeEntries() throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    DispatchQueue.concurrentPerform(iterations: 64) { index in
      let key = ContentKey("shared", ["\(index % 4)"])
      let content = [UInt8](repeating: UInt8(index % 4), count: 5000)
      do {
        let cache = try ContentCache(folder: path + "/cache")
        if let found = cache.bytes(for: key) { #expect(found == content) }
        try cache.store(content, for: key)
        #expect(cache.bytes(for: key) == content)
      } catch { Issue.record(error) }
    }
  }

  @Test func aFileIsNoFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], as: "file")
    let error = #expect(throws: StyleModelError.self) { try ContentCache(folder: folder.path("file")) }
    #expect(error?.kind == .cannotCreate)
    let below = #expect(throws: StyleModelError.self) { try ContentCache(folder: folder.path("file/x")) }
    #expect(below?.kind == .cannotCreate)
  }
}
