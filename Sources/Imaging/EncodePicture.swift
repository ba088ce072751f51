import CImageCodecs
public import Diagnostics
import Files

/// The kinds of file a picture can be written as; an output's name decides.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  /// 8-bit RGB, lossless.
  case png
  /// 8-bit RGB, quality 95, colour at full size.
  case jpeg
  /// float32 `[height, width, 3]`, neither clamped nor rounded.
  case npy

  /// The format for an output's name, by its extension: `.png`, `.jpg`, `.jpeg`, `.npy` in any case.
  /// - Throws: `.usage` for any other name.
  public init(path: String) throws(StyleModelError) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    switch parts.count > 1 ? parts[parts.count - 1].lowercased() : "" {
    case "png": self = .png
    case "jpg", "jpeg": self = .jpeg
    case "npy": self = .npy
    default:
      throw StyleModelError(
        .usage, file: path, "is not a name that says what kind of picture to write",
        remedy: "end it in .png, .jpg or .npy")
    }
  }
}

/// Encodes 8-bit RGB as PNG; the same picture gives the same bytes.
/// - Throws: `.gateFailed` when a sample is not finite, `.badInput` when the picture is too large.
public func encodePNG(_ picture: Picture, rounding: Rounding) throws(StyleModelError) -> [UInt8] {
  try encode("PNG", picture, rounding: rounding) { ci_png_encode($0, $1, $2, 6, $3, $4) }
}

/// Encodes as JPEG of quality 95 with colour at full size (4:4:4).
/// - Throws: `.gateFailed` when a sample is not finite, `.cannotWrite` when a side is longer than JPEG's 65,500.
public func encodeJPEG(_ picture: Picture, rounding: Rounding) throws(StyleModelError) -> [UInt8] {
  try encode("JPEG", picture, rounding: rounding) { ci_jpeg_encode($0, $1, $2, 95, $3, $4) }
}

/// Encodes in a format; `rounding` does not touch `.npy`, which keeps every sample as it is.
/// - Throws: what `encodePNG` and `encodeJPEG` throw.
public func encodePicture(
  _ picture: Picture, as format: PictureFormat, rounding: Rounding
) throws(StyleModelError) -> [UInt8] {
  switch format {
  case .png: try encodePNG(picture, rounding: rounding)
  case .jpeg: try encodeJPEG(picture, rounding: rounding)
  case .npy: encodeNPY(picture)
  }
}

/// Writes a picture in the format that the name's extension asks for, replacing the file as a whole.
/// - Throws: `.usage` for an unknown extension, what `encodePicture` and `replaceFile` throw; the file is named.
public func writePicture(
  _ picture: Picture, to path: String, rounding: Rounding
) throws(StyleModelError) {
  let format = try PictureFormat(path: path)
  do {
    try replaceFile(path, with: encodePicture(picture, as: format, rounding: rounding))
  } catch { throw error.inFile(path) }
}
