import CKernels

/// Mean and variance of every channel from sums that are held in half precision.
///
/// Each row is summed in single precision, as a thread group does in its registers, and rounded; the rows' sums are then
/// added up in half precision, in their order. The variance is the mean square less the squared mean, never below zero.
struct HalfMeasureStep: Step {
  let output: BufferID
  let layout: MapLayout
  let sums: HalfRounding
  let squares: HalfRounding
  var stages: [Stage] = []

  var reads: [BufferID] { [output] }
  var takesStages: Bool { false }
  var spreadCount: Int { layout.channels }
  var workEstimate: Double { Double(layout.floatCount * 8) }

  func run(on machine: Machine) {
    let input = UnsafePointer(machine.pointer(output))
    machine.workers.forEach(layout.channels) { channel, _ in
      var sum: Float = 0
      var square: Float = 0
      for row in 0..<layout.height {
        var rowSum: Float = 0
        var rowSquare: Float = 0
        for column in 0..<layout.width {
          let number = input[row * layout.rowStride + column * layout.pixelStride + channel]
          rowSum += number
          rowSquare += number * number
        }
        sum = add(rowSum, to: sum, sums)
        square = add(rowSquare, to: square, squares)
      }
      let pixels = Float(layout.pixels)
      let mean = rounded(sum / pixels)
      let variance = max(rounded(rounded(square / pixels) - rounded(mean * mean)), 0)
      machine.spreads.base[channel] = ck_spread(
        mean: Double(mean), distances: Double(variance) * Double(layout.pixels))
    }
  }

  /// The sum in half precision. A channel counts as overflowing once: where it leaves the finite numbers.
  private func add(_ number: Float, to sum: Float, _ rounding: HalfRounding) -> Float {
    let result = rounded(sum + rounded(number))
    if sum.isFinite, number.isFinite, !result.isFinite { rounding.count(1) }
    return result
  }

  private func rounded(_ number: Float) -> Float {
    var result = number
    _ = ck_round_to_half(&result, 1, 1, 1)
    return result
  }
}
