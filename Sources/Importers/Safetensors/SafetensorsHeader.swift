import Archives
import Diagnostics
import Tensors

/// The head of a safetensors file, checked against the file: every tensor lies where its shape and type need it to,
/// and together they fill what follows the header from its first byte to the file's last.
struct SafetensorsHeader {
  struct Entry {
    var name: String
    var type: ElementType
    var shape: Shape
    /// Where its numbers lie in the file.
    var range: Range<Int>
  }

  /// The tensors, in the header's order.
  private(set) var entries: [Entry] = []
  /// The texts about the file, in the header's order.
  private(set) var metadata: [(key: String, text: String)] = []
  /// The length of what stands before the first tensor, in bytes.
  let byteCount: Int

  /// Reads the head of a whole file.
  /// - Throws: `.badInput` with the byte or the tensor that is wrong.
  init(_ bytes: [UInt8]) throws(StyleModelError) {
    var cursor = ByteCursor(bytes[...])
    guard let length = cursor.integer(UInt64.self) else {
      throw damaged("is cut short: \(counted(bytes.count, "byte")) where the header's length takes 8")
    }
    guard length <= UInt64(SafetensorsFormat.headerLimit) else {
      throw damaged(
        "states a header of \(length) bytes; up to \(grouped(SafetensorsFormat.headerLimit)) are read")
    }
    guard let text = cursor.take(Int(length)) else {
      throw damaged(
        "states a header of \(grouped(Int(length))) bytes where \(grouped(cursor.remaining)) are left")
    }
    byteCount = bytes.count - cursor.remaining
    // Spaces may pad the end, so that the tensors are aligned, but nothing may stand in front.
    guard text.first == UInt8(ascii: "{") else { throw damaged("does not open its header with '{'") }
    let header: JSONValue
    do throws(StyleModelError) { header = try JSONValue(parsing: text, place: "header") } catch {
      throw damaged(error.problem, at: error.place)
    }
    for member in header.members ?? [] {
      if member.key == SafetensorsFormat.metadataKey {
        metadata = try Self.metadata(member.value)
      } else {
        entries.append(try entry(member, dataCount: cursor.remaining))
      }
    }
    try checkCover(fileSize: bytes.count)
  }

  private static func metadata(_ value: JSONValue) throws(StyleModelError) -> [(key: String, text: String)] {
    guard let members = value.members else {
      throw damaged("is no object", at: SafetensorsFormat.metadataKey)
    }
    var metadata: [(key: String, text: String)] = []
    for member in members {
      guard let text = member.value.string else {
        throw damaged(
          "has '\(printable(member.key, limit: 80))', which is no text", at: SafetensorsFormat.metadataKey)
      }
      metadata.append((member.key, text))
    }
    return metadata
  }

  private func entry(_ member: JSONValue.Member, dataCount: Int) throws(StyleModelError) -> Entry {
    let place = tensorPlace(member.key)
    guard let fields = member.value.members, fields.count == 3, let dtype = member.value["dtype"]?.string,
      let extents = integers(member.value["shape"]), let offsets = integers(member.value["data_offsets"])
    else {
      throw damaged("is not described by a dtype, a shape and two data_offsets, and these alone", at: place)
    }
    guard let type = ElementType(safetensorsName: dtype) else {
      throw StyleModelError(
        .badInput, place: place, "holds numbers of type \(printable(dtype, limit: 40)), which are not read",
        remedy: "save the weights as F32, F16 or BF16")
    }
    guard extents.count <= 64, let shape = Shape(checking: extents),
      let size = try StoredTensor.byteCount(shape: shape, encoding: .plain(type))
    else { throw damaged("has a shape that makes no tensor", at: place) }
    guard offsets.count == 2, offsets[0] >= 0, offsets[0] <= offsets[1], offsets[1] <= dataCount else {
      throw damaged("has data_offsets that do not lie in the \(grouped(dataCount)) bytes of data", at: place)
    }
    guard offsets[1] - offsets[0] == size else {
      throw damaged(
        "takes \(grouped(offsets[1] - offsets[0])) bytes, where \(dtype) numbers of shape \(shape) take \(grouped(size))",
        at: place)
    }
    return Entry(
      name: member.key, type: type, shape: shape, range: byteCount + offsets[0]..<byteCount + offsets[1])
  }

  private func integers(_ value: JSONValue?) -> [Int]? {
    guard let items = value?.items else { return nil }
    let integers = items.compactMap(\.integer)
    return integers.count == items.count ? integers : nil
  }

  /// Holes could hide a second file in this one, and overlaps make much of little.
  private func checkCover(fileSize: Int) throws(StyleModelError) {
    let sorted = entries.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    var end = byteCount
    for entry in sorted {
      guard entry.range.lowerBound == end else {
        let problem =
          entry.range.lowerBound < end ? "overlaps the tensor before it" : "leaves a hole before it"
        throw damaged(problem + " at byte \(grouped(entry.range.lowerBound))", at: tensorPlace(entry.name))
      }
      end = entry.range.upperBound
    }
    guard end == fileSize else {
      throw damaged("goes on for \(grouped(fileSize - end)) bytes behind its last tensor")
    }
  }
}

/// How errors name a tensor.
func tensorPlace(_ name: String) -> String { "tensor '\(printable(name, limit: 120))'" }

/// An error that only another copy of the file mends.
func damaged(_ problem: String, at place: String? = nil) -> StyleModelError {
  StyleModelError(
    .badInput, place: place, problem, remedy: "the file is damaged or forged; download or save it again")
}
