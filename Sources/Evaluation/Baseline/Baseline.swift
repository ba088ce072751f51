public import Diagnostics

/// An earlier report, as far as a later one is held against it.
public struct Baseline: Hashable, Sendable {
  /// What the earlier report says of one model.
  public struct Entry: Hashable, Sendable {
    /// The file's name.
    public var name: String
    /// The file's size in bytes; nil where the report has none.
    public var byteCount: Int?
    /// The SHA-256 of what the model was judged by, in hexadecimal; nil where that was no file.
    public var referenceSHA256: String?
    /// The definition of the figures.
    public var definition: String
    /// Whether outputs were rounded to bytes before they were compared.
    public var rounded: Bool
    /// The pictures, in the report's order.
    public var pictures: [Picture]
  }

  /// What the earlier report says of one picture.
  public struct Picture: Hashable, Sendable {
    /// The picture's name.
    public var name: String
    /// Its size, `WxH`.
    public var size: String
    /// The SHA-256 of its samples, in hexadecimal.
    public var sha256: String
    /// The PSNR in dB, infinite where the pictures were identical; nil where the picture failed.
    public var psnr: Double?
    /// The SSIM; nil where the picture failed.
    public var ssim: Double?
  }

  /// The file, as the user named it; used in errors.
  public var path: String
  /// The models, in the report's order.
  public var entries: [Entry]

  /// What the baseline says of a model: the entry of its name, or else the one entry that was judged by the same source,
  /// so that a model whose conversion (and with it the default name) changed is held against what it was before.
  /// - Parameters:
  ///   - name: the model's file name.
  ///   - source: the SHA-256 of what the model was made from, in hexadecimal; nil where it is not known.
  /// - Throws: `.badInput` when it says nothing of it, or has several entries of that source.
  public func entry(named name: String, source: String? = nil) throws(StyleModelError) -> Entry {
    if let entry = entries.first(where: { $0.name == name }) { return entry }
    let relatives = source.map { digest in entries.filter { $0.referenceSHA256 == digest } } ?? []
    if relatives.count == 1, let entry = relatives.first { return entry }
    let names = entries.map(\.name).joined(separator: ", ")
    throw StyleModelError(
      .badInput, file: path,
      relatives.isEmpty
        ? "has no model '\(name)', only \(names.isEmpty ? "none at all" : names)"
        : "has no model '\(name)', and several of the same source: "
          + relatives.map(\.name).joined(separator: ", "),
      remedy: "make the baseline anew with 'eval --report'")
  }
}

extension Baseline.Entry {
  /// Makes sure that the pictures are those of the baseline, before any of them is evaluated.
  /// - Throws: `.badInput` naming a picture that only one of the two has.
  public func requireSamePictures(_ names: [String]) throws(StyleModelError) {
    let known = Set(pictures.map(\.name))
    if let new = names.first(where: { !known.contains($0) }) {
      throw unusable("has no picture '\(new)' for \(name)")
    }
    let shown = Set(names)
    if let missing = pictures.first(where: { !shown.contains($0.name) }) {
      throw unusable("has a picture '\(missing.name)' for \(name), which is not evaluated now")
    }
  }

  func unusable(_ problem: String) -> StyleModelError {
    StyleModelError(
      .badInput, problem,
      remedy: "evaluate on the same pictures, or make the baseline anew with 'eval --report'")
  }
}
