import Diagnostics
public import Tensors

/// How integers stand for floats.
public struct IntegerForm: Hashable, Sendable {
  /// The width, 2 to 8.
  public var bits: Int
  /// Unsigned and counted from the channel's least weight, or symmetric about zero.
  public var isAffine: Bool
  /// The axis of the channels that have a scale each; nil is one scale for the tensor.
  public var axis: Int?

  /// Creates a form.
  public init(bits: Int, isAffine: Bool, axis: Int?) {
    self.bits = bits
    self.isAffine = isAffine
    self.axis = axis
  }

  /// The number of steps that the widest channel is cut into: to each side of zero, or from end to end.
  public var steps: Int { isAffine ? 1 << bits - 1 : 1 << (bits - 1) - 1 }

  /// Whether a tensor of this encoding is stored in this form.
  public func isForm(of encoding: Encoding) -> Bool {
    guard case .affine(let affine) = encoding else { return false }
    return affine.bits == bits && affine.isSigned != isAffine && affine.axis == axis
      && affine.offsets.isEmpty != isAffine
  }
}

/// Rounds a tensor to integers with a scale a channel (and an offset, in the affine form).
///
/// The scale spans the channel, `max|w| / steps` or `(max − min) / steps`, so nothing is clipped; the integer is
/// `(w − offset) / scale` rounded to nearest, ties to even, in double precision. A channel of one value only has
/// scale 1: zeros come back as zeros, and in the affine form any constant comes back as itself.
/// - Returns: nil when decoding would overflow: an affine channel that spans more than the greatest float.
/// - Precondition: the floats are finite, as many as the shape says.
func quantizeToIntegers(
  _ floats: [Float], shape: Shape, form: IntegerForm
) throws(StyleModelError) -> StoredTensor? {
  let channels = form.axis.map { shape[$0] } ?? 1
  var lowest = [Float](repeating: .infinity, count: channels)
  var highest = [Float](repeating: -.infinity, count: channels)
  floats.withUnsafeBufferPointer { floats in
    forEachRun(shape: shape, axis: form.axis) { channel, run in
      var low = lowest[channel]
      var high = highest[channel]
      for index in run {
        low = floats[index] < low ? floats[index] : low
        high = floats[index] > high ? floats[index] : high
      }
      lowest[channel] = low
      highest[channel] = high
    }
  }
  var scales: [Float] = []
  var offsets: [Float] = []
  for (low, high) in zip(lowest, highest) {
    let extent = form.isAffine ? Double(high) - Double(low) : Double(max(abs(low), abs(high)))
    guard let scale = scale(spanning: extent.isFinite ? extent : 0, steps: form.steps) else { return nil }
    scales.append(scale)
    if form.isAffine { offsets.append(low.isFinite ? low : 0) }
  }
  let codes = integers(floats, shape, form, scales, offsets)
  let encoding = AffineEncoding(
    bits: form.bits, isSigned: !form.isAffine, axis: form.axis, scales: scales, offsets: offsets)
  return try StoredTensor(
    shape: shape, encoding: .affine(encoding), bytes: packIntegers(lowBytes: codes, bits: form.bits))
}

/// The scale at which `steps` steps span `extent`, or nil when their product is not a finite float.
///
/// Down among the subnormals a scale has few bits left, and rounded down it may fall short of the extent by more
/// than half a step; then the next greater one is taken. At the other end, one rounded up is taken down again.
private func scale(spanning extent: Double, steps: Int) -> Float? {
  guard extent > 0 else { return 1 }
  var scale = Float(extent / Double(steps))
  if Double(scale) * (Double(steps) + 0.5) < extent { scale = scale.nextUp }
  if extent <= Double(Float.greatestFiniteMagnitude), !(scale * Float(steps)).isFinite {
    scale = scale.nextDown
  }
  return (scale * Float(steps)).isFinite ? scale : nil
}

/// The low byte of each integer.
private func integers(
  _ floats: [Float], _ shape: Shape, _ form: IntegerForm, _ scales: [Float], _ offsets: [Float]
) -> [UInt8] {
  let highest = Double(form.steps)
  let lowest = form.isAffine ? 0 : -highest
  // Adding 1.5 · 2^52 rounds to a whole number, ties to even, and leaves its two's complement in the low bits.
  let rounder = 0x1.8p52
  return [UInt8](unsafeUninitializedCapacity: floats.count) { out, used in
    floats.withUnsafeBufferPointer { floats in
      forEachRun(shape: shape, axis: form.axis) { channel, run in
        let scale = Double(scales[channel])
        let offset = form.isAffine ? Double(offsets[channel]) : 0
        for index in run {
          let exact = (Double(floats[index]) - offset) / scale
          let bounded = exact < lowest ? lowest : exact > highest ? highest : exact
          out[index] = UInt8(truncatingIfNeeded: (bounded + rounder).bitPattern)
        }
      }
    }
    used = floats.count
  }
}
