public import Diagnostics
import Files

/// A picture as it came out of a file, with what had to be done to make it plain RGB.
public struct DecodedPicture: Hashable, Sendable {
  /// The picture, upright, red first.
  public var picture: Picture
  /// What was changed on the way, for the user to read: `alpha channel dropped over white`.
  public var notes: [String]

  /// Creates a decoded picture.
  public init(picture: Picture, notes: [String] = []) {
    self.picture = picture
    self.notes = notes
  }
}

/// The most pixels a picture may have: 134 million, 15 to 20 bytes each while it is decoded.
public let mostPicturePixels = 1 << 27

/// Decodes a PNG, a JPEG or a `.npy` array, recognised by its content.
///
/// The samples are those of the file, taken as sRGB: neither gamma nor a colour profile is applied. A picture is
/// turned upright as its EXIF orientation says. An array must be `[height, width, 3]` and is taken as it is.
/// - Parameter background: what see-through pixels are laid over.
/// - Throws: `.badInput` for anything else, and for files that are cut off, damaged or too large.
public func decodePicture(
  _ bytes: [UInt8], background: Background = .white
) throws(StyleModelError) -> DecodedPicture {
  switch PictureContent(bytes) {
  case .png: return try decodePNG(bytes, background: background)
  case .jpeg: return try decodeJPEG(bytes)
  case .npy: return DecodedPicture(picture: try decodeNPY(bytes))
  case .other(let what): throw notAPicture(what)
  }
}

/// Reads and decodes a picture file.
/// - Throws: what `readFile` and `decodePicture` throw, with the file named.
public func readPicture(
  _ path: String, background: Background = .white
) throws(StyleModelError) -> DecodedPicture {
  let bytes = try readFile(path)
  do { return try decodePicture(bytes, background: background) } catch { throw error.inFile(path) }
}

/// Checks a size that a header claims, before anything is allocated for it.
func checkPictureSize(width: Int, height: Int) throws(StyleModelError) {
  guard width > 0, height > 0 else {
    throw StyleModelError(.badInput, "has no pixels (\(sizeText(width: width, height: height)))")
  }
  let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
  guard !overflow, pixels <= mostPicturePixels else {
    throw StyleModelError(
      .badInput, "is too large: \(sizeText(width: width, height: height)) pixels",
      remedy: "at most \(grouped(mostPicturePixels)) pixels are read; make it smaller")
  }
}
