import CImageCodecs
import Diagnostics

private let decoder = PictureDecoder(
  name: "PNG", readLayout: ci_png_read_layout, decodeSamples: ci_png_decode)

/// Decodes a PNG of any kind to RGB. 16-bit samples keep their precision as fractions of 255.
func decodePNG(_ bytes: [UInt8], background: Background) throws(StyleModelError) -> DecodedPicture {
  let layout = try decoder.layout(of: bytes)
  let chunks = PNGChunks(bytes)
  let width = Int(layout.width)
  let height = Int(layout.height)
  // Deflate makes at most 1032 bytes out of one: a header that promises more is lying, and nothing is allocated
  // for it. The product cannot overflow: `checkPictureSize` has bounded the pixels, and one has at most 64 bits.
  guard width * height * Int(layout.source_pixel_bits) / 8 <= chunks.imageDataSize * 1032 else {
    throw StyleModelError(
      .badInput,
      "is a PNG that claims \(sizeText(width: width, height: height)) pixels, more than its "
        + "\(counted(chunks.imageDataSize, "byte")) of picture data can hold",
      remedy: "it is cut off or damaged; copy or download it again")
  }
  let (stored, _) = try decoder.samples(of: bytes, layout: layout)

  var notes: [String] = []
  if layout.is_grey != 0 { notes.append("grey picture: red, green and blue are set to it alike") }
  let deep = layout.bytes_per_sample == 2
  if deep { notes.append("16-bit samples scaled to 0…255 without rounding") }
  let (samples, sawTransparency) = stored.withUnsafeBytes { stored in
    deep
      ? opaqueRGB(stored.bindMemory(to: UInt16.self), layout, scale: 1 / 257, over: background)
      : opaqueRGB(stored.bindMemory(to: UInt8.self), layout, scale: 1, over: background)
  }
  if layout.channels == 4 {
    notes.append(
      sawTransparency
        ? "alpha channel dropped over \(background.name)" : "alpha channel dropped (nothing was see-through)")
  }
  let picture = Picture(width: width, height: height, samples: samples)
  guard let range = chunks.exif, let orientation = Orientation(tiff: bytes[range]) else {
    return DecodedPicture(picture: picture, notes: notes)
  }
  return DecodedPicture(picture: picture.upright(from: orientation), notes: notes + orientation.notes)
}

/// The size of a PNG that is upright.
func pngSize(_ bytes: [UInt8]) throws(StyleModelError) -> (width: Int, height: Int) {
  let layout = try decoder.layout(of: bytes)
  let size = (width: Int(layout.width), height: Int(layout.height))
  guard let range = PNGChunks(bytes).exif, let orientation = Orientation(tiff: bytes[range]) else {
    return size
  }
  return orientation.swapsSides ? (size.height, size.width) : size
}

/// RGB samples in pixel units from RGB or RGB with straight alpha; `sawTransparency` says whether the background
/// shows anywhere. The scaling is done in double so that a 16-bit sample and its 8-bit twin come out equal.
private func opaqueRGB<Sample: FixedWidthInteger & UnsignedInteger>(
  _ source: UnsafeBufferPointer<Sample>, _ layout: ci_layout, scale: Double, over background: Background
) -> (samples: [Float], sawTransparency: Bool) {
  let pixels = Int(layout.width) * Int(layout.height)
  let channels = Int(layout.channels)
  let behind = (Double(background.red), Double(background.green), Double(background.blue))
  let opaque = Double(Sample.max)
  var sawTransparency = false
  let samples = [Float](unsafeUninitializedCapacity: pixels * 3) { target, count in
    for pixel in 0..<pixels {
      let from = pixel * channels
      var red = Double(source[from]) * scale
      var green = Double(source[from + 1]) * scale
      var blue = Double(source[from + 2]) * scale
      if channels == 4, source[from + 3] != Sample.max {
        let alpha = Double(source[from + 3]) / opaque
        red = red * alpha + behind.0 * (1 - alpha)
        green = green * alpha + behind.1 * (1 - alpha)
        blue = blue * alpha + behind.2 * (1 - alpha)
        sawTransparency = true
      }
      target[pixel * 3] = Float(red)
      target[pixel * 3 + 1] = Float(green)
      target[pixel * 3 + 2] = Float(blue)
    }
    count = pixels * 3
  }
  return (samples, sawTransparency)
}

/// What a walk over a PNG's chunks tells without inflating anything.
struct PNGChunks {
  /// How many bytes of compressed picture data are really there.
  var imageDataSize = 0
  /// Where the EXIF block's TIFF structure stands, if there is one.
  var exif: Range<Int>?

  init(_ bytes: [UInt8]) {
    var position = 8
    while bytes.count - position >= 12 {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let start = position + 8
      let available = min(length, bytes.count - start)
      switch String(decoding: bytes[position + 4..<start], as: UTF8.self) {
      case "IDAT": imageDataSize += available
      case "eXIf" where available == length && exif == nil: exif = start..<start + length
      case "IEND": return
      default: break
      }
      guard length <= bytes.count - start - 4 else { return }
      position = start + length + 4
    }
  }
}
