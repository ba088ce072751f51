import Tensors

/// What some frameworks keep otherwise.
extension StoredTensor {
  /// Kernels `[_, _, kH, kW]` with rows and columns backwards, or nil for other tensors.
  var flippedKernels: StoredTensor? {
    guard shape.rank == 4 else { return nil }
    let size = shape[2] * shape[3]
    return gathered(into: shape) { index in index / size * size + (size - 1 - index % size) }
  }

  /// Kernels with their first two axes exchanged, or nil for other tensors.
  var swappedChannels: StoredTensor? {
    guard shape.rank == 4 else { return nil }
    let size = shape[2] * shape[3]
    let (first, second) = (shape[0], shape[1])
    return gathered(into: Shape([second, first, shape[2], shape[3]])) { index in
      let kernel = index / size
      return (kernel % first * second + kernel / first) * size + index % size
    }
  }

  private func gathered(into shape: Shape, from source: (Int) -> Int) -> StoredTensor? {
    guard case .plain(let type) = encoding else { return nil }
    let width = type.byteCount
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for index in 0..<shape.count {
      let start = source(index) * width
      result += bytes[start..<(start + width)]
    }
    return try? StoredTensor(shape: shape, encoding: encoding, bytes: result)
  }
}
