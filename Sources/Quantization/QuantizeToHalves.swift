import CKernels
import Diagnostics
import Tensors

/// A tensor of half-precision floats, or why there is none.
enum HalvesResult {
  case tensor(StoredTensor)
  /// What halves cannot hold, as a clause: `reaches 70000.0, beyond 65504`.
  case refused(String)
}

/// Rounds floats to the nearest halves, ties to even, unless that would ruin some of them.
///
/// It is refused when a number would become an infinity, or be off by more than 2⁻⁸ of the largest of its channel (halves
/// lose precision below 6.1e-5 and vanish below 3e-8). Small numbers beside large ones of their channel are no reason.
/// - Parameter axis: the axis of the channels; nil where each number counts by itself, as in norms and biases.
func quantizeToHalves(_ floats: [Float], shape: Shape, axis: Int?) throws(StyleModelError) -> HalvesResult {
  let halves = [UInt16](unsafeUninitializedCapacity: floats.count) { out, used in
    if let base = out.baseAddress { ck_float_to_half(floats, base, floats.count) }
    used = floats.count
  }
  if halves.contains(where: { $0 & 0x7fff >= 0x7c00 }) {
    let greatest = floats.max { $0.magnitude < $1.magnitude } ?? 0
    return .refused("reaches \(greatest), beyond float16's 65504")
  }
  if let axis {
    let largest = largestOfChannels(floats, shape: shape, axis: axis)
    // What is rounded to a multiple of 2⁻²⁴ is off by 2⁻²⁵ at most: 2⁻⁸ of a channel that reaches 2⁻¹⁷.
    if let tooSmall = largest.first(where: { $0 != 0 && $0.magnitude < 0x1p-17 }) {
      return .refused("has a channel that only reaches \(tooSmall), which float16 holds too coarsely")
    }
  } else if let tooSmall = floats.first(where: losesPrecision) {
    return .refused("holds \(tooSmall), which float16 holds too coarsely")
  }
  let bytes = halves.withUnsafeBytes { Array($0) }
  return .tensor(try StoredTensor(shape: shape, encoding: .plain(.float16), bytes: bytes))
}

/// Whether a half loses more than 2⁻⁸ of a number; halves below 2⁻¹⁴ are multiples of 2⁻²⁴.
private func losesPrecision(_ value: Float) -> Bool {
  let magnitude = Double(value.magnitude)
  guard magnitude > 0, magnitude < 0x1p-14 else { return false }
  let rounded = (magnitude * 0x1p24).rounded(.toNearestOrEven) * 0x1p-24
  return abs(rounded - magnitude) > magnitude * 0x1p-8
}

/// The number of largest magnitude in each channel.
private func largestOfChannels(_ floats: [Float], shape: Shape, axis: Int) -> [Float] {
  var largest = [Float](repeating: 0, count: shape[axis])
  forEachRun(shape: shape, axis: axis) { channel, run in
    for index in run where floats[index].magnitude > largest[channel].magnitude {
      largest[channel] = floats[index]
    }
  }
  return largest
}
