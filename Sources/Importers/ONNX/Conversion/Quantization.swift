import Diagnostics
import ModelGraph
import PictureTracing
import Tensors

extension NetworkConversion {
  /// `QuantizeLinear` and `DequantizeLinear`: of weights, which keep their integers, or of what flows.
  mutating func convertQuantization() throws(StyleModelError) -> ImportedValue {
    guard try node.integer("block_size", default: 0) == 0 else {
      throw StyleModelError(.badInput, "has a scale for each block of weights, which is not understood")
    }
    let scales = try fixed(1)?.floats
    guard let scales, !scales.isEmpty, scales.allSatisfy({ $0.isFinite && $0 > 0 }) else {
      throw StyleModelError(.badInput, "wants scales that are known and above zero")
    }
    let isQuantizing = node.operation == "QuantizeLinear"
    switch try input(0) {
    case .picture(let picture)? where isQuantizing:
      let range = try storedRange()
      guard scales.count == 1 else {
        throw StyleModelError(
          .badInput, "quantizes a picture with a scale a channel, which is not understood")
      }
      note(
        "the file rounds what flows between its layers to 8 bits; here that stays in floating point, within the same bounds"
      )
      let zero = try zeroPoints(count: 1)[0]
      let lower = Float(range.lowerBound - zero) * scales[0]
      let upper = Float(range.upperBound - zero) * scales[0]
      return .quantized(try clamped(picture, lower: lower, upper: upper))
    case .quantized(let picture)? where !isQuantizing: return .picture(picture)
    case .weight(let weight)?:
      try spend(weight.tensor.shape.count)
      return .weight(isQuantizing ? try quantized(weight, scales) : try dequantized(weight, scales))
    case .numbers?:
      guard let tensor = try fixed(0)?.tensor, isQuantizing else { break }
      try spend(tensor.shape.count)
      return .weight(
        try quantized(ONNXTensor(name: node.inputs[0], tensor: tensor, integerBits: nil), scales))
    default: break
    }
    throw StyleModelError(.badInput, "works on a value that is not understood")
  }

  private func zeroPoints(count: Int) throws(StyleModelError) -> [Int] {
    guard let zero = try fixed(2) else { return [Int](repeating: 0, count: count) }
    guard let list = zero.integers, list.count == count else {
      throw StyleModelError(.badInput, "has \(zero.count) zero points for \(counted(count, "scale"))")
    }
    return list
  }

  /// The integers that the zero point's type holds; without one they are 0…255.
  private func storedRange() throws(StyleModelError) -> ClosedRange<Int> {
    guard case .weight(let zero)? = try input(2), case .plain(let type) = zero.tensor.encoding else {
      return 0...255
    }
    let bits = zero.integerBits ?? type.byteCount * 8
    guard bits <= 16 else { throw StyleModelError(.badInput, "quantizes to \(type.rawValue)") }
    return type == .uint8
      ? 0...(1 << bits) - 1 : type == .int32 ? 0...65535 : -(1 << (bits - 1))...(1 << (bits - 1)) - 1
  }

  /// The axis that scales run along: nil for one scale.
  private func scaleAxis(_ shape: Shape, _ scales: [Float]) throws(StyleModelError) -> Int? {
    // One scale for a single channel has an axis only where the file says so.
    let rank = try fixed(1)?.shape.count
    guard scales.count > 1 || rank == 1 && node.attributes["axis"] != nil else { return nil }
    guard let axis = soundAxis(try node.integer("axis", default: 1), rank: shape.rank),
      shape[axis] == scales.count
    else { throw StyleModelError(.badInput, "has \(scales.count) scales for weights of shape \(shape)") }
    return axis
  }

  /// `saturate(round(x / scale) + zero)`.
  private func quantized(_ weight: ONNXTensor, _ scales: [Float]) throws(StyleModelError) -> ONNXTensor {
    let range = try storedRange()
    guard range.count <= 256 else { throw StyleModelError(.badInput, "quantizes weights to 16 bits") }
    let zeros = try zeroPoints(count: scales.count)
    let channels = ChannelIndex(weight.tensor.shape, axis: try scaleAxis(weight.tensor.shape, scales))
    let bytes = weight.tensor.floats().enumerated().map { place, value -> UInt8 in
      let channel = channels[place]
      let scaled = (value / scales[channel]).rounded(.toNearestOrEven)
      let kept = min(max(scaled, -65536), 65536)
      let whole = kept.isNaN ? 0 : Int(kept) + zeros[channel]
      return UInt8(truncatingIfNeeded: min(max(whole, range.lowerBound), range.upperBound))
    }
    return ONNXTensor(
      name: weight.name,
      tensor: try StoredTensor(
        shape: weight.tensor.shape, encoding: .plain(range.lowerBound < 0 ? .int8 : .uint8), bytes: bytes),
      integerBits: nil)
  }

  /// Weights that are `(q - zero) * scale`, bit for bit.
  ///
  /// Our encoding has no zero points, and an offset in floats would round differently. So the integers are stored less
  /// their zero points wherever those differences still fit the bits; otherwise, and where the file's scales are halves
  /// (whose products it rounds to halves), the weights are stored decoded.
  private func dequantized(_ weight: ONNXTensor, _ scales: [Float]) throws(StyleModelError) -> ONNXTensor {
    guard case .plain(let type) = weight.tensor.encoding, !type.isFloatingPoint,
      let integers = try Numbers(weight.tensor).integers
    else { throw StyleModelError(.badInput, "dequantizes weights that are no integers") }
    let shape = weight.tensor.shape
    let axis = try scaleAxis(shape, scales)
    let zeros = try zeroPoints(count: scales.count)
    let channels = ChannelIndex(shape, axis: axis)
    let shifted = integers.indices.map { integers[$0] - zeros[channels[$0]] }
    let bits = own?.weights[weight.name]?.bits ?? weight.integerBits ?? 8
    let lowest = shifted.min() ?? 0
    let greatest = shifted.max() ?? 0
    let half = 1 << (bits - 1)
    let isSigned = zeros.allSatisfy { $0 == 0 } ? type == .int8 : lowest < 0
    let fits = isSigned ? lowest >= -half && greatest < half : greatest < 2 * half
    if fits, type.byteCount == 1, try !scalesAreHalves() {
      let encoding = Encoding.affine(
        AffineEncoding(bits: bits, isSigned: isSigned, axis: axis, scales: scales))
      return ONNXTensor(
        name: weight.name,
        tensor: try StoredTensor(shape: shape, encoding: encoding, bytes: packIntegers(shifted, bits: bits)),
        integerBits: nil)
    }
    let isHalf = try scalesAreHalves()
    let floats = shifted.indices.map { place -> Float in
      let product = Float(shifted[place]) * scales[channels[place]]
      return isHalf ? Float(Float16(product)) : product
    }
    return ONNXTensor(name: weight.name, tensor: StoredTensor(shape: shape, floats: floats), integerBits: nil)
  }

  /// `Add` of an offset a channel to dequantized weights: both are the weight's encoding.
  func weightWithOffsets() throws(StyleModelError) -> ONNXTensor? {
    guard node.operation == "Add", case .weight(let weight)? = try input(0),
      case .affine(var affine) = weight.tensor.encoding, affine.offsets.isEmpty,
      case .weight(let offsets)? = try input(1), offsets.tensor.encoding == .plain(.float32)
    else { return nil }
    let shape = weight.tensor.shape
    let extents = shape.dimensions.indices.map { $0 == affine.axis ? shape[$0] : 1 }
    guard offsets.tensor.shape.dimensions == (affine.axis == nil ? [] : extents) else { return nil }
    affine.offsets = offsets.tensor.floats()
    guard affine.offsets.allSatisfy(\.isFinite) else { return nil }
    return ONNXTensor(
      name: weight.name,
      tensor: try StoredTensor(shape: shape, encoding: .affine(affine), bytes: weight.tensor.bytes),
      integerBits: nil)
  }

  private func scalesAreHalves() throws(StyleModelError) -> Bool {
    guard case .weight(let scale)? = try input(1), case .plain(let type) = scale.tensor.encoding else {
      return false
    }
    return type == .float16
  }
}

/// Which scale belongs to a number.
private struct ChannelIndex {
  private let inner: Int
  private let count: Int

  init(_ shape: Shape, axis: Int?) {
    inner = axis.map { max(1, shape.dimensions[($0 + 1)...].reduce(1, *)) } ?? max(1, shape.count)
    count = axis.map { max(1, shape[$0]) } ?? 1
  }

  subscript(place: Int) -> Int { place / inner % count }
}
