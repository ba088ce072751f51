import Archives
import Diagnostics
import Tensors

/// The container of PyTorch before 1.6: five pickles (a magic number, the protocol, facts about the system, the
/// object, the keys of its storages), then each storage as a 64-bit count and that many numbers.
struct LegacyCheckpoint: StorageSource {
  /// What the fourth pickle describes.
  let document: PickleDocument
  private let bytes: [UInt8]
  private let ranges: [String: Range<Int>]
  private let isFromBigEndianMachine: Bool

  init(_ bytes: [UInt8]) throws(StyleModelError) {
    var rest = bytes[...]
    func next(_ place: String) throws(StyleModelError) -> PickleDocument {
      let document = try PickleMachine.read(rest, place: place)
      rest = rest.dropFirst(document.byteCount)
      return document
    }
    _ = try next("magic number")
    guard try next("protocol").root == .integer(1001) else {
      throw StyleModelError(
        .badInput, place: "protocol", "is not 1001, the only one there is",
        remedy: "the file is damaged; download or save it again")
    }
    isFromBigEndianMachine = Self.saysBigEndian(try next("system"))
    document = try next("pickle")
    let keys = try next("storage keys")
    self.bytes = bytes
    ranges = try Self.storageRanges(keys: keys, document: document, data: rest)
  }

  func bytes(of storage: StorageReference) throws(StyleModelError) -> ArraySlice<UInt8> {
    guard let range = ranges[storage.key] else {
      throw StyleModelError(
        .badInput, "has its numbers in storage \(printable(storage.key, limit: 40)), which the file has not",
        remedy: "the file is damaged; download or save it again")
    }
    return bytes[range]
  }

  /// PyTorch swaps into little-endian as it writes this container, whatever machine it runs on, and ignores
  /// `little_endian` when it reads. Other writers keep the order of the machine. So where the file says that it
  /// comes from a big-endian machine, the numbers themselves decide.
  func isBigEndian(_ bytes: ArraySlice<UInt8>, of type: ElementType) -> Bool {
    isFromBigEndianMachine && ByteOrderGuess.looksBigEndian(bytes, of: type)
  }

  private static func saysBigEndian(_ system: PickleDocument) -> Bool {
    guard case .dict(let items)? = system.object(system.root) else { return false }
    return items.last { $0.key == .string("little_endian") }?.value == .bool(false)
  }

  private static func storageRanges(
    keys: PickleDocument, document: PickleDocument, data: ArraySlice<UInt8>
  ) throws(StyleModelError) -> [String: Range<Int>] {
    // The sizes of elements are known only from the tensors that use them.
    var references: [String: StorageReference] = [:]
    for object in document.objects {
      if case .persistent(let id) = object, let reference = StorageReference(persistentID: id, in: document) {
        references[reference.key] = reference
      }
    }
    var ranges: [String: Range<Int>] = [:]
    var cursor = ByteCursor(data)
    for key in keys.elements(keys.root) ?? [] {
      guard case .string(let key) = key, let reference = references[key], ranges[key] == nil else {
        throw StyleModelError(
          .badInput, place: "storage keys", "list a storage that no tensor uses, or one twice",
          remedy: "the file is damaged; download or save it again")
      }
      guard let count = cursor.integer(Int64.self), let byteCount = reference.byteCount,
        let range = cursor.take(byteCount)
      else {
        throw StyleModelError(
          .badInput, place: "storage \(printable(key, limit: 40))",
          "has \(grouped(cursor.remaining)) of the \(grouped(reference.byteCount ?? Int.max)) bytes left that it"
            + " takes: the file is cut short",
          remedy: "download or save it again")
      }
      // Releases before 1.9 wrote the count in the order of the machine.
      guard count == Int64(reference.count) || count.byteSwapped == Int64(reference.count) else {
        throw StyleModelError(
          .badInput, place: "storage \(printable(key, limit: 40))",
          "holds \(count) numbers where the pickle states \(reference.count)",
          remedy: "the file is damaged; download or save it again")
      }
      ranges[key] = range.startIndex..<range.endIndex
    }
    guard cursor.remaining == 0 else {
      throw StyleModelError(
        .badInput, "goes on for \(grouped(cursor.remaining)) bytes behind its last storage",
        remedy: "the file is damaged; download or save it again")
    }
    return ranges
  }
}
