import Diagnostics

/// The records at the end of a zip file: end of central directory, its zip64 forms, and the directory itself
/// (APPNOTE.TXT 6.3.10, sections 4.3 and 4.5.3).
struct ZipDirectory {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The start of the end record, or nil when there is none that reaches just to the end of the file.
  static func endRecord(of bytes: [UInt8]) -> Int? {
    let smallest = 22
    guard bytes.count >= smallest else { return nil }
    let last = bytes.count - smallest
    for start in stride(from: last, through: max(0, last - 0xFFFF), by: -1)
    where bytes[start] == 0x50 && bytes[start + 1] == 0x4B && bytes[start + 2] == 5 && bytes[start + 3] == 6 {
      let comment = Int(bytes[start + 20]) | Int(bytes[start + 21]) << 8
      if start + smallest + comment == bytes.count { return start }
    }
    return nil
  }

  /// The members, checked against the file and each other, but not for their names.
  func entries() throws(StyleModelError) -> [ZipArchive.Entry] {
    guard let end = Self.endRecord(of: bytes) else {
      throw StyleModelError(
        .badInput, "is a truncated zip: end record missing, have \(grouped(bytes.count)) bytes",
        remedy: "download it again")
    }
    let location = try directoryLocation(endRecord: end)
    var cursor = ByteCursor(bytes[location.range])
    // The smallest directory record takes 46 bytes: a count that the directory cannot hold is a lie.
    guard location.count <= location.range.count / 46 else {
      throw zipError(
        "its directory of \(grouped(location.range.count)) bytes cannot hold \(grouped(location.count)) members"
      )
    }
    var entries: [ZipArchive.Entry] = []
    var spans: [Range<Int>] = []
    entries.reserveCapacity(location.count)
    spans.reserveCapacity(location.count)
    for _ in 0..<location.count {
      let record = try DirectoryRecord(&cursor)
      let data = try storedRange(of: record, before: location.range.lowerBound)
      spans.append(record.headerOffset..<data.upperBound)
      entries.append(record.entry(storedRange: data))
    }
    guard cursor.remaining == 0 else {
      throw zipError("its directory holds more than the \(grouped(location.count)) members it counts")
    }
    spans.sort { $0.lowerBound < $1.lowerBound }
    for (one, next) in zip(spans, spans.dropFirst()) where next.lowerBound < one.upperBound {
      throw zipError("two of its members overlap at byte \(grouped(next.lowerBound))")
    }
    return entries
  }

  private func directoryLocation(
    endRecord end: Int
  ) throws(StyleModelError) -> (range: Range<Int>, count: Int) {
    var cursor = ByteCursor(bytes[(end + 4)...])
    guard let disk = cursor.integer(UInt16.self), let directoryDisk = cursor.integer(UInt16.self),
      let onDisk = cursor.integer(UInt16.self), let total = cursor.integer(UInt16.self),
      let size = cursor.integer(UInt32.self), let offset = cursor.integer(UInt32.self)
    else { throw zipError("its end record is cut short") }
    var location = (count: UInt64(total), size: UInt64(size), offset: UInt64(offset), limit: end)
    var isWhole = disk == directoryDisk && onDisk == total && (disk == 0 || disk == .max)
    if let wide = try zip64Record(before: end) {
      location.limit = wide.start
      if total == .max || size == .max || offset == .max {
        location = (wide.count, wide.size, wide.offset, wide.start)
        isWhole = wide.isWhole
      }
    }
    guard isWhole else { throw zipError("it is one part of a split archive") }
    let (directoryEnd, overflow) = location.offset.addingReportingOverflow(location.size)
    guard !overflow, directoryEnd == UInt64(location.limit), let count = Int(exactly: location.count) else {
      throw zipError("its directory is not where its end record says")
    }
    return (Int(location.offset)..<location.limit, count)
  }

  /// The zip64 end record, whose locator stands right before the end record; PyTorch always writes one.
  private func zip64Record(
    before end: Int
  ) throws(StyleModelError) -> (start: Int, count: UInt64, size: UInt64, offset: UInt64, isWhole: Bool)? {
    guard end >= 20 else { return nil }
    var locator = ByteCursor(bytes[(end - 20)..<end])
    guard locator.integer(UInt32.self) == 0x0706_4B50 else { return nil }
    guard locator.integer(UInt32.self) == 0, let offset = locator.integer(UInt64.self),
      let start = Int(exactly: offset), start <= end - 20
    else { throw zipError("its zip64 end locator is damaged") }
    var record = ByteCursor(bytes[start..<(end - 20)])
    guard record.integer(UInt32.self) == 0x0606_4B50, record.take(12) != nil,
      let disk = record.integer(UInt32.self), let directoryDisk = record.integer(UInt32.self),
      let onDisk = record.integer(UInt64.self), let total = record.integer(UInt64.self),
      let size = record.integer(UInt64.self), let offset = record.integer(UInt64.self)
    else { throw zipError("its zip64 end record is missing or damaged") }
    return (start, total, size, offset, disk == 0 && directoryDisk == 0 && onDisk == total)
  }

  /// Where the bytes of a member lie, from its local header, which must tell the same story.
  private func storedRange(
    of record: DirectoryRecord, before limit: Int
  ) throws(StyleModelError) -> Range<Int> {
    let name = String(decoding: record.name, as: UTF8.self)
    guard record.headerOffset < limit else {
      throw zipError(
        "\(quoted(name)) starts at byte \(grouped(record.headerOffset)), in or behind the directory")
    }
    var cursor = ByteCursor(bytes[record.headerOffset..<limit])
    guard cursor.integer(UInt32.self) == 0x0403_4B50, cursor.take(4) != nil,
      let method = cursor.integer(UInt16.self), cursor.take(16) != nil,
      let nameLength = cursor.integer(UInt16.self), let extraLength = cursor.integer(UInt16.self),
      let localName = cursor.take(Int(nameLength)), cursor.take(Int(extraLength)) != nil
    else { throw zipError("\(quoted(name)) has no local header at byte \(grouped(record.headerOffset))") }
    guard localName == record.name, method == record.method else {
      throw zipError("the local header of \(quoted(name)) contradicts the directory")
    }
    guard let data = cursor.take(record.compressedSize) else {
      throw zipError(
        "\(quoted(name)) states \(grouped(record.compressedSize)) bytes where \(grouped(cursor.remaining)) are left"
      )
    }
    return data.startIndex..<data.endIndex
  }
}

/// One record of the central directory, with its zip64 sizes put in.
private struct DirectoryRecord {
  let flags: UInt16
  let method: UInt16
  let crc: UInt32
  let compressedSize: Int
  let size: Int
  let headerOffset: Int
  let name: ArraySlice<UInt8>

  init(_ cursor: inout ByteCursor) throws(StyleModelError) {
    guard cursor.integer(UInt32.self) == 0x0201_4B50, cursor.take(4) != nil,
      let flags = cursor.integer(UInt16.self), let method = cursor.integer(UInt16.self),
      cursor.take(4) != nil, let crc = cursor.integer(UInt32.self),
      let compressedSize = cursor.integer(UInt32.self), let size = cursor.integer(UInt32.self),
      let nameLength = cursor.integer(UInt16.self), let extraLength = cursor.integer(UInt16.self),
      let commentLength = cursor.integer(UInt16.self), cursor.take(8) != nil,
      let headerOffset = cursor.integer(UInt32.self), let name = cursor.take(Int(nameLength)),
      let extra = cursor.take(Int(extraLength)), cursor.take(Int(commentLength)) != nil
    else { throw zipError("its directory is damaged at byte \(grouped(cursor.position))") }
    self.flags = flags
    self.method = method
    self.crc = crc
    self.name = name
    var wide = Self.zip64Field(extra)
    func widened(_ value: UInt32) -> Int? {
      guard value == .max else { return Int(value) }
      return wide?.integer(UInt64.self).flatMap { Int(exactly: $0) }
    }
    // The order of the zip64 field: size, compressed size, offset; each only where the short form is full.
    guard let size = widened(size), let compressedSize = widened(compressedSize),
      let headerOffset = widened(headerOffset)
    else { throw zipError("the zip64 field of \(quoted(String(decoding: name, as: UTF8.self))) is damaged") }
    self.size = size
    self.compressedSize = compressedSize
    self.headerOffset = headerOffset
    guard method != 0 || size == compressedSize else {
      throw zipError("\(quoted(String(decoding: name, as: UTF8.self))) is stored, yet states two sizes")
    }
  }

  func entry(storedRange: Range<Int>) -> ZipArchive.Entry {
    let method: ZipArchive.Entry.Method =
      switch method {
      case 0: .stored
      case 8: .deflated
      default: .other(method)
      }
    return ZipArchive.Entry(
      name: String(decoding: name, as: UTF8.self), method: method, isEncrypted: flags & 1 != 0, size: size,
      crc: crc, storedRange: storedRange)
  }

  private static func zip64Field(_ extra: ArraySlice<UInt8>) -> ByteCursor? {
    var cursor = ByteCursor(extra)
    while let id = cursor.integer(UInt16.self), let length = cursor.integer(UInt16.self),
      let field = cursor.take(Int(length))
    {
      if id == 1 { return ByteCursor(field) }
    }
    return nil
  }
}
