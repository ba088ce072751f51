import CImageCodecs
import Diagnostics

private let decoder = PictureDecoder(
  name: "JPEG", readLayout: ci_jpeg_read_layout, decodeSamples: ci_jpeg_decode)

/// Decodes a JPEG to RGB: exact integer DCT and smooth chroma, so that pixels are those of other programs.
func decodeJPEG(_ bytes: [UInt8]) throws(StyleModelError) -> DecodedPicture {
  let layout = try decoder.layout(of: bytes)
  let width = Int(layout.width)
  let height = Int(layout.height)
  guard layout.source_units <= UInt64(bytes.count) * 8 else {
    throw StyleModelError(
      .badInput,
      "is a JPEG that claims \(sizeText(width: width, height: height)) pixels, more than its "
        + "\(counted(bytes.count, "byte")) can hold",
      remedy: "it is cut off or damaged; copy or download it again")
  }
  let (stored, warning) = try decoder.samples(of: bytes, layout: layout)

  var notes: [String] = []
  if layout.is_grey != 0 { notes.append("grey picture: red, green and blue are set to it alike") }
  if layout.channels == 4 { notes.append("CMYK turned into RGB without a colour profile") }
  if let warning { notes.append("libjpeg: \(warning)") }
  let samples =
    layout.channels == 4
    ? rgbFromCMYK(stored, isInverted: layout.is_inverted != 0)
    : [Float](unsafeUninitializedCapacity: stored.count) { target, count in
      stored.withUnsafeBufferPointer { source in
        for index in source.indices { target[index] = Float(source[index]) }
      }
      count = stored.count
    }
  let picture = Picture(width: width, height: height, samples: samples)
  guard let range = exifInJPEG(bytes), let orientation = Orientation(tiff: bytes[range]) else {
    return DecodedPicture(picture: picture, notes: notes)
  }
  return DecodedPicture(picture: picture.upright(from: orientation), notes: notes + orientation.notes)
}

/// The size of a JPEG that is upright.
func jpegSize(_ bytes: [UInt8]) throws(StyleModelError) -> (width: Int, height: Int) {
  let layout = try decoder.layout(of: bytes)
  let size = (width: Int(layout.width), height: Int(layout.height))
  guard let range = exifInJPEG(bytes), let orientation = Orientation(tiff: bytes[range]) else { return size }
  return orientation.swapsSides ? (size.height, size.width) : size
}

/// The plain rule: each ink takes away its own light, and black takes away all.
private func rgbFromCMYK(_ cmyk: [UInt8], isInverted: Bool) -> [Float] {
  var samples: [Float] = []
  samples.reserveCapacity(cmyk.count / 4 * 3)
  let flip: UInt8 = isInverted ? 0 : 255
  for pixel in stride(from: 0, to: cmyk.count, by: 4) {
    let light = Float(cmyk[pixel + 3] ^ flip)
    for channel in 0..<3 { samples.append(Float(cmyk[pixel + channel] ^ flip) * light / 255) }
  }
  return samples
}

/// Where the TIFF structure of the first EXIF segment stands; nil when there is none before the picture data.
func exifInJPEG(_ bytes: [UInt8]) -> Range<Int>? {
  let signature: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]  // "Exif", two zeros
  var position = 2
  while bytes.count - position >= 4 {
    guard bytes[position] == 0xFF else { return nil }
    let marker = bytes[position + 1]
    if marker == 0xFF {  // a fill byte
      position += 1
      continue
    }
    if marker == 0xDA || marker == 0xD9 { return nil }  // picture data, or the end
    if marker == 0x01 || (0xD0...0xD8).contains(marker) {  // markers that stand alone
      position += 2
      continue
    }
    let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
    let start = position + 4
    let end = position + 2 + length
    guard length >= 2, end <= bytes.count else { return nil }
    if marker == 0xE1, length >= 8, bytes[start..<start + 6].elementsEqual(signature) {
      return start + 6..<end
    }
    position = end
  }
  return nil
}
