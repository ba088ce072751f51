/// What a file's first bytes say it is.
enum PictureContent: Hashable {
  case png, jpeg, npy
  /// Something that cannot be decoded, in words for an error: `a WebP picture`.
  case other(String)

  init(_ bytes: [UInt8]) {
    func starts(_ magic: [UInt8], at offset: Int = 0) -> Bool {
      bytes.count >= offset + magic.count && bytes[offset..<offset + magic.count].elementsEqual(magic)
    }
    func starts(_ magic: String, at offset: Int = 0) -> Bool { starts(Array(magic.utf8), at: offset) }

    if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if starts([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if starts([0x93]), starts("NUMPY", at: 1) {
      self = .npy
    } else if bytes.isEmpty {
      self = .other("an empty file")
    } else if starts("GIF8") {
      self = .other("a GIF picture")
    } else if starts("RIFF"), starts("WEBP", at: 8) {
      self = .other("a WebP picture")
    } else if starts("BM") {
      self = .other("a BMP picture")
    } else if starts("II*\0") || starts("MM\0*") {
      self = .other("a TIFF picture")
    } else if starts("ftyp", at: 4) {
      self = .other(
        starts("avif", at: 8) ? "an AVIF picture" : starts("he", at: 8) ? "a HEIC picture" : "a video")
    } else if starts("%PDF") {
      self = .other("a PDF document")
    } else if starts("version https://git-lfs") {
      self = .other("a Git LFS pointer (run \"git lfs pull\")")
    } else if starts("PK\u{3}\u{4}") {
      self = .other("a zip archive")
    } else if starts("<") {
      self = .other("text (HTML, SVG or XML)")
    } else {
      self = .other("something unknown")
    }
  }
}
