import Diagnostics
import NumPyFormat

/// Encodes as NumPy's `.npy`, version 1.0: little-endian float32 `[height, width, 3]` in C order, every sample as
/// it is, not-a-number and infinities included.
public func encodeNPY(_ picture: Picture) -> [UInt8] {
  let dictionary =
    "{'descr': '<f4', 'fortran_order': False, 'shape': (\(picture.height), \(picture.width), 3), }"
  // The data starts at a multiple of 64 bytes: 10 before the dictionary, spaces and a newline after.
  let padded = (10 + dictionary.utf8.count + 1 + 63) / 64 * 64
  var bytes: [UInt8] = []
  bytes.reserveCapacity(padded + picture.samples.count * 4)
  bytes += [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8((padded - 10) & 255), UInt8((padded - 10) >> 8)]
  bytes += dictionary.utf8
  bytes += [UInt8](repeating: 0x20, count: padded - 1 - bytes.count) + [0x0A]
  for sample in picture.samples {
    withUnsafeBytes(of: sample.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }
  return bytes
}

/// The size of a picture in a `.npy` array.
func npySize(_ bytes: [UInt8]) throws(StyleModelError) -> (width: Int, height: Int) {
  let (header, _) = try npyHeader(bytes[...])
  return try pictureSize(header)
}

private func pictureSize(_ header: NPYHeader) throws(StyleModelError) -> (width: Int, height: Int) {
  guard header.shape.count == 3, header.shape[2] == 3 else {
    throw StyleModelError(
      .badInput, place: "shape",
      "is an array of shape [\(header.shape.map(String.init).joined(separator: ", "))], not [height, width, 3]",
      remedy: "save one RGB picture, channels last")
  }
  try checkPictureSize(width: header.shape[1], height: header.shape[0])
  return (header.shape[1], header.shape[0])
}

/// Decodes a `.npy` array of versions 1 to 3 and shape `[height, width, 3]`: float32, float64 or uint8, in either
/// byte order. The samples are in pixel units and may lie outside 0…255; they must be finite.
func decodeNPY(_ bytes: [UInt8]) throws(StyleModelError) -> Picture {
  let (header, start) = try npyHeader(bytes[...])
  guard !header.isFortranOrder else {
    throw StyleModelError(
      .badInput, place: "fortran_order", "is an array stored column by column",
      remedy: "save it with numpy.save(name, numpy.ascontiguousarray(array))")
  }
  guard let element = NPYElement(header.descr) else {
    throw StyleModelError(
      .badInput, place: "descr", "is an array of \(header.descr)",
      remedy: "save it as float32: numpy.save(name, array.astype(\"float32\"))")
  }
  let (width, height) = try pictureSize(header)
  let expected = width * height * 3 * element.size
  guard bytes.count - start == expected else {
    let found = bytes.count - start
    throw StyleModelError(
      .badInput,
      "\(found < expected ? "is cut off" : "goes on after its array"): \(grouped(found)) bytes of data where "
        + "\(sizeText(width: width, height: height)) pixels of \(header.descr) take \(grouped(expected))",
      remedy: "save or copy it again")
  }
  let samples = bytes.withUnsafeBytes { element.samples(of: UnsafeRawBufferPointer(rebasing: $0[start...])) }
  let picture = Picture(width: width, height: height, samples: samples)
  let nonFinite = picture.nonFiniteCount
  guard nonFinite == 0 else {
    throw StyleModelError(
      .badInput, "holds \(counted(nonFinite, "sample")) that are not finite float32 numbers",
      remedy: "clean the array before it is saved")
  }
  return picture
}

/// The element types that can be read.
private enum NPYElement {
  case uint8
  case float32(isBig: Bool)
  case float64(isBig: Bool)

  init?(_ descr: String) {
    switch descr {
    case "|u1", "<u1", ">u1", "u1": self = .uint8
    case "<f4": self = .float32(isBig: false)
    case ">f4": self = .float32(isBig: true)
    case "<f8": self = .float64(isBig: false)
    case ">f8": self = .float64(isBig: true)
    default: return nil
    }
  }

  var size: Int {
    switch self {
    case .uint8: 1
    case .float32: 4
    case .float64: 8
    }
  }

  func samples(of data: UnsafeRawBufferPointer) -> [Float] {
    let total = data.count / size
    return [Float](unsafeUninitializedCapacity: total) { target, count in
      for index in 0..<total {
        target[index] =
          switch self {
          case .uint8: Float(data[index])
          case .float32(let isBig):
            Float(bitPattern: word(data, at: index * 4, as: UInt32.self, isBig: isBig))
          case .float64(let isBig):
            Float(Double(bitPattern: word(data, at: index * 8, as: UInt64.self, isBig: isBig)))
          }
      }
      count = total
    }
  }

  private func word<Word: FixedWidthInteger & BitwiseCopyable>(
    _ data: UnsafeRawBufferPointer, at offset: Int, as type: Word.Type, isBig: Bool
  ) -> Word {
    let word = data.loadUnaligned(fromByteOffset: offset, as: type)
    return isBig ? Word(bigEndian: word) : Word(littleEndian: word)
  }
}
