package import Diagnostics
package import Tensors

/// A small tensor whose numbers are known while the model is read: pads, scales, shapes and what they are computed
/// from.
package struct Numbers: Hashable {
  /// The most elements that are computed with.
  package static let greatestCount = 1 << 22

  /// The numbers; truth values are the integers 0 and 1. Floats are rounded as the file's own arithmetic rounds them.
  package enum Elements: Hashable {
    case integers([Int])
    case floats([Float])
  }

  package let shape: [Int]
  package let elements: Elements

  package init(shape: [Int], _ elements: Elements) {
    self.shape = shape
    self.elements = elements
  }

  /// A list of integers.
  package init(_ integers: [Int]) { self.init(shape: [integers.count], .integers(integers)) }

  /// The numbers of a tensor.
  package init(_ tensor: StoredTensor) throws(StyleModelError) {
    try Numbers.require(tensor.shape.count)
    shape = tensor.shape.dimensions
    if case .plain(let type) = tensor.encoding, !type.isFloatingPoint {
      elements = .integers(tensor.integers(type))
    } else {
      elements = .floats(tensor.floats())
    }
  }

  /// Checks that a tensor of this many numbers may be computed.
  package static func require(_ count: Int) throws(StyleModelError) {
    guard count <= greatestCount else {
      throw StyleModelError(
        .badInput, "computes a constant of \(grouped(count)) numbers, too many to be sound")
    }
  }

  /// The product of extents that come from a file.
  /// - Throws: `.badInput` when an extent is negative or there are too many numbers.
  package static func count(_ shape: [Int]) throws(StyleModelError) -> Int {
    guard let sound = Shape(checking: shape) else {
      throw StyleModelError(.badInput, "computes a constant of an impossible shape \(shape)")
    }
    try require(sound.count)
    return sound.count
  }

  /// How many numbers there are.
  package var count: Int {
    switch elements {
    case .integers(let values): values.count
    case .floats(let values): values.count
    }
  }

  /// The numbers, if they are integers.
  package var integers: [Int]? { if case .integers(let values) = elements { values } else { nil } }

  /// The numbers as floats.
  package var floats: [Float] {
    switch elements {
    case .integers(let values): values.map { Float($0) }
    case .floats(let values): values
    }
  }

  /// The same numbers in another shape.
  package func reshaped(_ shape: [Int]) -> Numbers { Numbers(shape: shape, elements) }

  /// The elements at these places, in another shape.
  package func gathered(_ places: [Int], shape: [Int]) -> Numbers {
    switch elements {
    case .integers(let values): Numbers(shape: shape, .integers(places.map { values[$0] }))
    case .floats(let values): Numbers(shape: shape, .floats(places.map { values[$0] }))
    }
  }

  /// As a tensor of floats, or nil for integers.
  package var tensor: StoredTensor? {
    guard case .floats(let values) = elements, let shape = Shape(checking: shape) else { return nil }
    return StoredTensor(shape: shape, floats: values)
  }
}

extension StoredTensor {
  /// The numbers of a plain tensor of integers.
  fileprivate func integers(_ type: ElementType) -> [Int] {
    bytes.withUnsafeBytes { raw in
      func load<Number: FixedWidthInteger>(_: Number.Type) -> [Int] {
        (0..<shape.count).map {
          Int(
            truncatingIfNeeded: raw.loadUnaligned(
              fromByteOffset: $0 * MemoryLayout<Number>.size, as: Number.self))
        }
      }
      return switch type {
      case .int64: load(Int64.self)
      case .int32: load(Int32.self)
      case .int16: load(Int16.self)
      case .int8: load(Int8.self)
      default: load(UInt8.self)
      }
    }
  }
}

/// The places of a tensor in C order, as indices along its axes.
package struct Places {
  package let shape: [Int]
  /// The distance between neighbours along each axis, in elements.
  package let strides: [Int]

  package init(_ shape: [Int]) {
    self.shape = shape
    var strides = [Int](repeating: 1, count: shape.count)
    for axis in shape.indices.dropLast().reversed() { strides[axis] = strides[axis + 1] * shape[axis + 1] }
    self.strides = strides
  }

  /// Calls `body` with the indices of each place, in C order.
  package func forEach(_ body: ([Int]) -> Void) {
    guard !shape.contains(0) else { return }
    var index = [Int](repeating: 0, count: shape.count)
    while true {
      body(index)
      var axis = shape.count - 1
      while axis >= 0, index[axis] == shape[axis] - 1 {
        index[axis] = 0
        axis -= 1
      }
      if axis < 0 { return }
      index[axis] += 1
    }
  }

  /// Where the element that NumPy's broadcasting puts at `index` (of a tensor of at least this rank) lies.
  package func broadcast(_ index: [Int]) -> Int {
    var place = 0
    let skipped = index.count - shape.count
    for axis in shape.indices where shape[axis] != 1 { place += index[skipped + axis] * strides[axis] }
    return place
  }
}

/// The shape that NumPy's broadcasting gives two shapes, or nil if they do not fit.
package func broadcastShape(_ left: [Int], _ right: [Int]) -> [Int]? {
  let rank = max(left.count, right.count)
  let a = [Int](repeating: 1, count: rank - left.count) + left
  let b = [Int](repeating: 1, count: rank - right.count) + right
  var shape: [Int] = []
  for (x, y) in zip(a, b) {
    guard x == y || x == 1 || y == 1 else { return nil }
    shape.append(x == 1 ? y : x)
  }
  return shape
}
