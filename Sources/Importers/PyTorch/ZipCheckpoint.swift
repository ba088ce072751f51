import Archives
import Diagnostics
import Tensors

/// The zip container of PyTorch 1.6 and later: `NAME/data.pkl`, `NAME/data/KEY`, `NAME/byteorder`.
///
/// NAME is that of the file when it was saved, so it is found, not computed.
struct ZipCheckpoint: StorageSource {
  /// What the pickle describes.
  let document: PickleDocument
  private let archive: ZipArchive
  private let folder: String
  private let isBigEndian: Bool

  init(_ archive: ZipArchive) throws(StyleModelError) {
    let pickles = archive.entries.filter { $0.name == "data.pkl" || $0.name.hasSuffix("/data.pkl") }
    guard let pickle = pickles.first else {
      throw StyleModelError(
        .badInput, "is a zip without data.pkl, so not a PyTorch checkpoint",
        remedy: "name the checkpoint itself")
    }
    guard pickles.count == 1 else {
      throw StyleModelError(
        .badInput,
        "holds \(pickles.count) checkpoints: " + pickles.prefix(4).map(\.name).joined(separator: ", "),
        remedy: "unpack it and save one of them")
    }
    self.archive = archive
    folder = String(pickle.name.dropLast("data.pkl".count))
    if let entry = archive.entry(named: folder + "byteorder") {
      let word = String(decoding: try archive.read(entry), as: UTF8.self)
      guard word == "little" || word == "big" else {
        throw StyleModelError(
          .badInput, place: entry.name, "is \"\(printable(word, limit: 20))\", neither little nor big",
          remedy: "the file is damaged; download or save it again")
      }
      isBigEndian = word == "big"
    } else {
      // Only releases from 2.1 on say it; all before them wrote the order of their machine, little nearly always.
      isBigEndian = false
    }
    document = try PickleMachine.read(try archive.read(pickle), place: pickle.name)
  }

  func bytes(of storage: StorageReference) throws(StyleModelError) -> ArraySlice<UInt8> {
    guard let entry = archive.entry(named: folder + "data/" + storage.key) else {
      throw StyleModelError(
        .badInput,
        "has its numbers in \(printable(folder, limit: 80))data/\(storage.key), which the zip has not",
        remedy: "the file is damaged; download or save it again")
    }
    return try archive.read(entry)
  }

  func isBigEndian(_ bytes: ArraySlice<UInt8>, of type: ElementType) -> Bool { isBigEndian }
}
