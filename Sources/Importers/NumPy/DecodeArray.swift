import Diagnostics
import NumPyFormat
import Tensors

/// Decodes a `.npy` array of numbers, of any shape and byte order, into C order and little-endian.
/// - Throws: `.badInput` without a place when it is no such array, or of another length than its shape needs.
func decodeArray(_ bytes: ArraySlice<UInt8>) throws(StyleModelError) -> StoredTensor {
  guard bytes.starts(with: NPYHeader.magic) else {
    throw StyleModelError(.badInput, "is not a .npy array", remedy: "save the weights with numpy.savez")
  }
  let (header, start) = try npyHeader(bytes)
  guard let (type, isBigEndian) = elementType(header.descr) else { throw unreadable(header.descr) }
  guard header.shape.count <= 64, let shape = Shape(checking: header.shape),
    let byteCount = try StoredTensor.byteCount(shape: shape, encoding: .plain(type))
  else {
    throw StyleModelError(
      .badInput, "has a shape that makes no array", remedy: "the file is damaged; save it again")
  }
  let data = bytes[start...]
  guard data.count == byteCount else {
    throw StyleModelError(
      .badInput,
      "\(data.count < byteCount ? "is cut off" : "goes on after its array"): \(grouped(data.count)) bytes of data "
        + "where \(header.descr) numbers of shape \(shape) take \(grouped(byteCount))",
      remedy: "the file is damaged; save it again")
  }
  var numbers = Array(data)
  let size = type.byteCount
  if isBigEndian, size > 1 {
    for element in stride(from: 0, to: numbers.count, by: size) {
      numbers[element..<(element + size)].reverse()
    }
  }
  if header.isFortranOrder { numbers = inCOrder(numbers, shape: shape, size: size) }
  return try StoredTensor(shape: shape, encoding: .plain(type), bytes: numbers)
}

/// The type that NumPy's name of one stands for, and whether its most significant byte comes first.
private func elementType(_ descr: String) -> (type: ElementType, isBigEndian: Bool)? {
  let type: ElementType
  switch descr.drop(while: { "<>|=".contains($0) }) {
  case "f8": type = .float64
  case "f4": type = .float32
  case "f2": type = .float16
  case "i8": type = .int64
  case "i4": type = .int32
  case "i2": type = .int16
  case "i1": type = .int8
  case "u1": type = .uint8
  case "b1": type = .bool
  default: return nil
  }
  return (type, descr.hasPrefix(">"))
}

private func unreadable(_ descr: String) -> StyleModelError {
  if descr.hasSuffix("O") {
    return StyleModelError(
      .badInput,
      "is an array of Python objects (\(printable(descr, limit: 20))), which only running them would show",
      remedy:
        "save each tensor as an array of its own: numpy.savez(name, **{k: v.numpy() for k, v in dict.items()})"
    )
  }
  return StyleModelError(
    .badInput, "is an array of \(printable(descr, limit: 20)) numbers, which are not read",
    remedy: "save it as float32: array.astype(\"float32\")")
}

/// Numbers whose first index runs fastest, put in the order in which the last one does.
private func inCOrder(_ bytes: [UInt8], shape: Shape, size: Int) -> [UInt8] {
  var index = [Int](repeating: 0, count: shape.rank)
  var strides: [Int] = []
  var step = size
  for extent in shape.dimensions {
    strides.append(step)
    step *= extent
  }
  return [UInt8](unsafeUninitializedCapacity: bytes.count) { out, count in
    var source = 0
    while count < bytes.count {
      for byte in 0..<size { out[count + byte] = bytes[source + byte] }
      count += size
      // Steps to the next element like an odometer, the last extent first.
      var axis = shape.rank - 1
      while axis >= 0 {
        index[axis] += 1
        source += strides[axis]
        if index[axis] < shape[axis] { break }
        source -= index[axis] * strides[axis]
        index[axis] = 0
        axis -= 1
      }
    }
  }
}
