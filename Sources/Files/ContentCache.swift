public import Diagnostics
import Glibc

/// What a cache finds an entry by: a digest of everything that the entry was computed from.
public struct ContentKey: Hashable, Sendable {
  /// The SHA-256 digest.
  public let digest: [UInt8]

  /// Digests what an entry depends on. Lengths are part of it, so that no two lists of parts run into each other.
  /// - Parameters:
  ///   - kind: what the entry is: `reference output`.
  ///   - parts: what it was computed from, in a fixed order.
  public init(_ kind: String, _ parts: [[UInt8]]) {
    var bytes: [UInt8] = []
    for part in [Array(kind.utf8)] + parts {
      withUnsafeBytes(of: UInt64(part.count).littleEndian) { bytes += $0 }
      bytes += part
    }
    digest = sha256(bytes)
  }

  /// The same for texts.
  public init(_ kind: String, _ parts: [String]) { self.init(kind, parts.map { Array($0.utf8) }) }
}

/// A folder of results that take long to compute, each found by a digest of what it was computed from. Any number of
/// processes, on any number of machines, may read and write it at a time: entries appear as a whole, two writers of one
/// key write the same, and what is damaged counts as missing.
public struct ContentCache: Sendable {
  /// The folder.
  public let folder: String

  /// Opens a cache, and makes the folder where there is none.
  /// - Throws: `.cannotCreate` when that is not possible.
  public init(folder: String) throws(StyleModelError) {
    self.folder = folder
    try makeFolder(folder)
  }

  /// What was stored under a key; nil when nothing was, or when it is damaged.
  public func bytes(for key: ContentKey) -> [UInt8]? {
    guard let entry = try? readFile(path(key)), entry.count >= Self.headCount,
      entry[..<Self.magic.count].elementsEqual(Self.magic),
      entry[Self.magic.count..<Self.magic.count + 32].elementsEqual(key.digest)
    else { return nil }
    let content = Array(entry[Self.headCount...])
    guard sha256(content).elementsEqual(entry[(Self.headCount - 32)..<Self.headCount]) else { return nil }
    return content
  }

  /// Stores what was computed for a key.
  /// - Throws: `.cannotCreate` or `.cannotWrite`; what stood there before stays then.
  public func store(_ bytes: [UInt8], for key: ContentKey) throws(StyleModelError) {
    // A folder for each first byte: some file systems are slow with many thousands of files in one.
    try makeFolder(folder + "/" + hexadecimal([key.digest[0]]))
    try replaceFile(path(key), with: Self.magic + key.digest + sha256(bytes) + bytes)
  }

  /// `FOLDER/ab/cdef….cache`.
  func path(_ key: ContentKey) -> String {
    let name = hexadecimal(key.digest)
    return "\(folder)/\(name.prefix(2))/\(name.dropFirst(2)).cache"
  }

  private static let magic = Array("stylemodel cache 1\n".utf8)
  /// The magic, the key, the digest of what follows.
  private static let headCount = magic.count + 64
}

/// Makes a folder, with those above it, where there is none yet.
/// - Throws: `.cannotCreate` when that is not possible.
public func makeFolder(_ path: String) throws(StyleModelError) {
  var status = stat()
  if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
  let trimmed = String(path.reversed().drop { $0 == "/" }.reversed())
  if let slash = trimmed.lastIndex(of: "/"), slash != trimmed.startIndex {
    try makeFolder(String(trimmed[..<slash]))
  }
  // Another process may have been quicker.
  guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
    throw StyleModelError(
      .cannotCreate, file: path, "cannot be made (\(systemErrorText(errno)))",
      remedy: "name a folder in one that exists and can be written to")
  }
  guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
    throw StyleModelError(.cannotCreate, file: path, "is a file, not a folder", remedy: "name a folder")
  }
}
