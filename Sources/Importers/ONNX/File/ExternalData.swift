import CSchemas
import Diagnostics
import ProtobufSupport

/// The bytes of tensors that a model keeps in files beside it. Each file is read once.
struct ExternalData {
  private let readBeside: ExternalFileReader
  private var files: [String: [UInt8]] = [:]

  init(_ readBeside: @escaping ExternalFileReader) { self.readBeside = readBeside }

  /// The bytes of a tensor.
  /// - Throws: `.badInput` when the name leaves the model's folder, or the extent does not lie in the file.
  mutating func bytes(_ message: OnnxFile__Tensor, expecting count: Int) throws(StyleModelError) -> [UInt8] {
    var entries: [String: String] = [:]
    for entry in list(message.external_data, message.n_external_data) {
      entries[string(entry.pointee.key)] = string(entry.pointee.value)
    }
    let location = Self.location(message)
    guard Self.isPlainName(location) else {
      throw StyleModelError(
        .badInput, "lies in '\(location)', which is no file in the model's own folder",
        remedy: "only files beside the model, or in folders below it, are read")
    }
    guard let offset = Int(entries["offset"] ?? "0"), let length = Int(entries["length"] ?? "\(count)"),
      offset >= 0, length == count
    else {
      throw StyleModelError(
        .badInput, "lies in '\(location)' with an offset or a length that does not fit its shape")
    }
    let file: [UInt8]
    if let known = files[location] {
      file = known
    } else {
      file = try readBeside(location)
      files[location] = file
    }
    guard offset <= file.count, count <= file.count - offset else {
      throw StyleModelError(
        .badInput,
        "lies in '\(location)' from byte \(grouped(offset)) for \(counted(count, "byte")), but that file has only \(grouped(file.count))"
      )
    }
    return Array(file[offset..<offset + count])
  }

  /// Whether a location is a path that goes down only: `weights.bin`, `data/weights.bin`.
  static func isPlainName(_ location: String) -> Bool {
    let parts = location.split(separator: "/", omittingEmptySubsequences: false)
    return !location.isEmpty && location.utf8.count <= 1024 && !location.contains("\\")
      && parts.allSatisfy { $0 != ".." && !$0.isEmpty }
  }

  /// The name of the file that a tensor lies in; empty where there is none.
  static func location(_ message: OnnxFile__Tensor) -> String {
    let entry = list(message.external_data, message.n_external_data).last {
      string($0.pointee.key) == "location"
    }
    return string(entry?.pointee.value)
  }
}
