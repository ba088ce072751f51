import Diagnostics
import Tensors

extension StoredTensor {
  /// The tensor with its axes in another order: axis `i` of the result is axis `order[i]` of this one.
  /// - Parameter flipped: axes of this tensor that are run through backwards.
  /// - Precondition: `order` names every axis once, and the encoding is plain.
  func permuted(_ order: [Int], flipping flipped: Set<Int> = []) throws(StyleModelError) -> StoredTensor {
    precondition(order.sorted() == Array(0..<shape.rank))
    guard case .plain(let type) = encoding else { preconditionFailure("only plain tensors are permuted") }
    var strides = [Int](repeating: type.byteCount, count: shape.rank)
    for axis in (0..<max(0, shape.rank - 1)).reversed() {
      strides[axis] = strides[axis + 1] * shape[axis + 1]
    }
    let result = Shape(order.map { shape[$0] })
    var gathered: [UInt8] = []
    gathered.reserveCapacity(bytes.count)
    var position = [Int](repeating: 0, count: result.rank)
    for _ in 0..<result.count {
      var offset = 0
      for (axis, source) in order.enumerated() {
        let index = flipped.contains(source) ? shape[source] - 1 - position[axis] : position[axis]
        offset += index * strides[source]
      }
      gathered += bytes[offset..<(offset + type.byteCount)]
      var axis = result.rank - 1
      while axis >= 0 {
        position[axis] += 1
        if position[axis] < result[axis] { break }
        position[axis] = 0
        axis -= 1
      }
    }
    return try StoredTensor(shape: result, encoding: encoding, bytes: gathered)
  }

  /// The same numbers under another shape.
  /// - Precondition: both shapes have as many elements.
  func reshaped(_ dimensions: [Int]) throws(StyleModelError) -> StoredTensor {
    try StoredTensor(shape: Shape(dimensions), encoding: encoding, bytes: bytes)
  }
}
