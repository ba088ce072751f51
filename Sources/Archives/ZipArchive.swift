public import Diagnostics

/// The members of a zip file that is wholly in memory.
///
/// The central directory decides: sizes in local headers may be zero where data descriptors follow. The whole
/// directory is checked on creation, so that a member can be read without another look at the others: names are
/// unique, members lie inside the file and do not overlap, and what they say they inflate to is bounded.
public struct ZipArchive: Sendable {
  /// One member.
  public struct Entry: Hashable, Sendable {
    /// How a member's bytes are stored.
    public enum Method: Hashable, Sendable {
      case stored
      case deflated
      /// A method that cannot be read, by its number in the zip specification.
      case other(UInt16)
    }

    /// The name, with `/` between folders.
    public let name: String
    /// How it is stored.
    public let method: Method
    /// Whether it is encrypted.
    public let isEncrypted: Bool
    /// The size as it is to be read, in bytes.
    public let size: Int
    /// The CRC-32 of the bytes as they are to be read.
    public let crc: UInt32
    /// Where the stored bytes lie in the file.
    public let storedRange: Range<Int>
  }

  /// The members, in the directory's order.
  public let entries: [Entry]
  private let bytes: [UInt8]
  private let indices: [String: Int]

  /// Reads the directory of a zip file.
  /// - Throws: `.badInput` when the file is cut short or its directory contradicts itself or the file.
  public init(_ bytes: [UInt8]) throws(StyleModelError) {
    let entries = try ZipDirectory(bytes).entries()
    var indices: [String: Int] = [:]
    for (index, entry) in entries.enumerated() {
      guard indices.updateValue(index, forKey: entry.name) == nil else {
        throw zipError("holds \(quoted(entry.name)) twice")
      }
    }
    try Self.checkExpansion(of: entries, fileSize: bytes.count)
    self.entries = entries
    self.bytes = bytes
    self.indices = indices
  }

  /// The member of this name, or nil.
  public func entry(named name: String) -> Entry? { indices[name].map { entries[$0] } }

  /// The bytes of a member; those of a stored one are a view of the file.
  /// - Throws: `.badInput` when the member is encrypted, uses another compression than deflate, does not inflate
  ///   to just the size it states, or fails its CRC.
  public func read(_ entry: Entry) throws(StyleModelError) -> ArraySlice<UInt8> {
    guard !entry.isEncrypted else {
      throw StyleModelError(
        .badInput, place: entry.name, "is encrypted", remedy: "unpack the zip and pack it without a password")
    }
    let stored = bytes[entry.storedRange]
    let content: ArraySlice<UInt8>
    switch entry.method {
    case .stored: content = stored
    case .deflated:
      guard let inflated = inflate(stored, size: entry.size) else {
        throw StyleModelError(
          .badInput, place: entry.name, "does not inflate to the \(grouped(entry.size)) bytes it states",
          remedy: "the zip is damaged; download it again")
      }
      content = inflated[...]
    case .other(let number):
      throw StyleModelError(
        .badInput, place: entry.name, "is compressed by method \(number), which is not read",
        remedy: "pack the zip again with deflate or without compression")
    }
    guard crc32(of: content) == entry.crc else {
      throw StyleModelError(
        .badInput, place: entry.name, "fails its CRC-32 check",
        remedy: "the zip is damaged; download it again")
    }
    return content
  }

  /// What all members of a file of `fileSize` bytes may inflate to together: 64 MiB and 32 times the file.
  public static func expansionLimit(fileSize: Int) -> Int {
    let (product, overflow) = fileSize.multipliedReportingOverflow(by: 32)
    let (sum, sumOverflow) = product.addingReportingOverflow(64 << 20)
    return overflow || sumOverflow ? Int.max : sum
  }

  private static func checkExpansion(of entries: [Entry], fileSize: Int) throws(StyleModelError) {
    var left = expansionLimit(fileSize: fileSize)
    for entry in entries where entry.method == .deflated {
      // Deflate makes at most 258 bytes of two bits.
      guard entry.size <= entry.storedRange.count * 1032 else {
        throw zipError(
          "\(quoted(entry.name)) cannot inflate from \(grouped(entry.storedRange.count)) to "
            + "\(grouped(entry.size)) bytes")
      }
      guard entry.size <= left else {
        throw zipError("its members inflate to more than \(byteSize(expansionLimit(fileSize: fileSize)))")
      }
      left -= entry.size
    }
  }
}

/// An error about the zip as a whole.
func zipError(_ problem: String) -> StyleModelError {
  StyleModelError(
    .badInput, place: "zip", problem, remedy: "the file is damaged or forged; download it again")
}

/// A member's name, made short and safe to print.
func quoted(_ name: String) -> String { "\"" + printable(name, limit: 80) + "\"" }
