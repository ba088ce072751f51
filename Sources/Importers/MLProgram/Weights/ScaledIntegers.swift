import Diagnostics
import Tensors

/// Weights that are `(q - zero) * scale`, with scales and zeros for blocks.
///
/// Our encoding has no zero points, and an offset in floats would round differently. So integers are stored less their
/// zero points wherever those differences still fit the bits and scales run along one axis at most; other weights are
/// decoded.
struct ScaledIntegers {
  let data: ProgramTensor
  let scale: ProgramTensor
  let scaleGrid: BlockGrid
  let zero: ProgramTensor?
  let zeroGrid: BlockGrid

  /// The weights.
  func value(_ spend: (Int) throws(StyleModelError) -> Void) throws(StyleModelError) -> KnownValue {
    guard scale.type == .float16 || scale.type == .float32 else {
      throw StyleModelError(.badInput, "has scales of \(scale.type); halves and floats are understood")
    }
    try spend(data.shape.count)
    let scales = try scale.floats()
    guard scales.allSatisfy(\.isFinite) else {
      throw StyleModelError(.badInput, "has a scale that is not finite")
    }
    if let kept = try integers(scales) { return .weight(kept) }
    return .weight(try decoded(scales))
  }

  /// The weights as our own integers, or nil where those do not say the same.
  private func integers(_ scales: [Float]) throws(StyleModelError) -> StoredTensor? {
    guard [.int4, .uint4, .int8, .uint8].contains(data.type), zero?.type.isFloat != true,
      let axis = scaleGrid.axis
    else { return nil }
    var shifted = try data.integers()
    if let zero {
      let zeros = try zero.integers()
      if zeros.contains(where: { $0 != 0 }) {
        var blocks = zeroGrid.walk()
        for index in shifted.indices { shifted[index] -= zeros[blocks.next()] }
      }
    }
    let bits = data.type.bits
    let half = 1 << (bits - 1)
    let lowest = shifted.min() ?? 0
    let greatest = shifted.max() ?? 0
    let isSigned = data.type.isSigned || lowest < 0
    guard isSigned ? lowest >= -half && greatest < half : greatest < 2 * half else { return nil }
    let encoding = AffineEncoding(bits: bits, isSigned: isSigned, axis: axis, scales: scales)
    return try StoredTensor(
      shape: data.shape, encoding: .affine(encoding), bytes: packIntegers(shifted, bits: bits))
  }

  private func decoded(_ scales: [Float]) throws(StyleModelError) -> StoredTensor {
    var values = try data.floats()
    if let zero {
      let zeros = try zero.floats()
      var blocks = zeroGrid.walk()
      for index in values.indices { values[index] -= zeros[blocks.next()] }
    }
    var blocks = scaleGrid.walk()
    for index in values.indices { values[index] *= scales[blocks.next()] }
    // What is computed in halves is rounded to halves.
    if scale.type == .float16 {
      let halves = values.flatMap { value in
        withUnsafeBytes(of: Float16(value).bitPattern.littleEndian) { Array($0) }
      }
      return try StoredTensor(shape: data.shape, encoding: .plain(.float16), bytes: halves)
    }
    return StoredTensor(shape: data.shape, floats: values)
  }
}
