import Archives
import Diagnostics

/// A file of weights beside a program ("blob storage", version 2): 64 bytes of header, and for each tensor 64 bytes of
/// metadata and its numbers. Programs name a tensor by the offset of its metadata.
struct WeightFile {
  private let bytes: [UInt8]

  /// Checks the header.
  init(_ bytes: [UInt8]) throws(StyleModelError) {
    var cursor = ByteCursor(bytes[...])
    guard bytes.count >= WeightFileLayout.alignment, cursor.integer(UInt32.self) != nil,
      let version = cursor.integer(UInt32.self)
    else { throw StyleModelError(.badInput, "is too short to be a file of weights") }
    guard version == WeightFileLayout.version else {
      throw StyleModelError(
        .badInput, "is a file of weights of version \(version); version 2 is read",
        remedy: "write the package anew with a current coremltools")
    }
    self.bytes = bytes
  }

  /// The numbers of a tensor.
  /// - Throws: `.badInput` when there is no such tensor at this offset.
  func numbers(at offset: UInt64, type: ProgramType, count: Int) throws(StyleModelError) -> [UInt8] {
    func problem(_ text: String) -> StyleModelError {
      StyleModelError(.badInput, place: "byte \(offset)", text)
    }
    guard let start = Int(exactly: offset), start % WeightFileLayout.alignment == 0,
      start >= WeightFileLayout.alignment, start <= bytes.count - WeightFileLayout.alignment
    else { throw problem("is no place for a tensor in a file of \(grouped(bytes.count)) bytes") }
    var cursor = ByteCursor(bytes[start...])
    guard let sentinel = cursor.integer(UInt32.self), let code = cursor.integer(UInt32.self),
      let size = cursor.integer(UInt64.self), let place = cursor.integer(UInt64.self)
    else { throw problem("ends within a tensor's metadata") }
    guard sentinel == WeightFileLayout.sentinel else { throw problem("holds no tensor's metadata") }
    guard let expected = type.blobCode, code == expected else {
      throw problem("holds numbers of type \(code), where the model says \(type)")
    }
    guard let wanted = type.byteCount(count), size == UInt64(wanted) else {
      throw problem("holds \(size) bytes, which do not fit \(grouped(count)) numbers of \(type)")
    }
    guard let first = Int(exactly: place), first >= WeightFileLayout.alignment, first <= bytes.count,
      wanted <= bytes.count - first
    else { throw problem("has its numbers at byte \(place), beyond the end of the file") }
    return Array(bytes[first..<first + wanted])
  }
}

/// What readers and writers of weight files agree on.
package enum WeightFileLayout {
  /// Header and metadata take as much each, and everything is aligned to it.
  package static let alignment = 64
  /// The version of the layout.
  package static let version: UInt32 = 2
  /// What opens each tensor's metadata.
  package static let sentinel: UInt32 = 0xDEAD_BEEF
}
