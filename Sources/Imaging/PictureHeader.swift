public import Diagnostics

/// The size of a picture, as `decodePicture` gives it, from its header alone: nothing is decoded.
/// - Throws: `.badInput` for what is no picture, or claims a size that none may have.
public func pictureSize(_ bytes: [UInt8]) throws(StyleModelError) -> (width: Int, height: Int) {
  switch PictureContent(bytes) {
  case .png: return try pngSize(bytes)
  case .jpeg: return try jpegSize(bytes)
  case .npy: return try npySize(bytes)
  case .other(let what): throw notAPicture(what)
  }
}

/// The error for a file of another kind.
func notAPicture(_ what: String) -> StyleModelError {
  StyleModelError(
    .badInput, "is \(what), not a picture that can be read", remedy: "give a PNG, a JPEG or a .npy array")
}
