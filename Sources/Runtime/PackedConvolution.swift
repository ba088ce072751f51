import CKernels
import Diagnostics
import ModelGraph
import Tensors

/// The weights of a convolution, plain or transposed, and how they are grouped.
struct ConvolutionKernel {
  /// The node that they belong to.
  let node: ValueID
  /// `[C_out, C_in / groups, kH, kW]`, or `[C_in, C_out / groups, kH, kW]` where transposed.
  let weight: StoredTensor
  /// One number an output channel, or nil for zeros.
  let bias: StoredTensor?
  let isTransposed: Bool
  let groups: Int
  let groupInputs: Int
  let groupOutputs: Int

  var kind: ck_convolution_kind { ck_choose_convolution(groups, groupInputs, groupOutputs) }
}

/// Weights laid out for the kernels, quantized ones widened on the way.
final class PackedConvolution {
  /// Which taps are packed. Taps that always read the same pixel are summed into one: those of a kernel row lie
  /// in one list.
  struct Key: Hashable {
    let node: ValueID
    let rowTaps: [[Int]]
    let columnTaps: [[Int]]
    let form: Form
  }

  /// What the weights are packed for.
  enum Form {
    /// Direct convolution, tap by tap.
    case taps
    /// Winograd's algorithm, which wants them transformed.
    case winograd
    /// Winograd's algorithm on blocks of the taps.
    case nestedWinograd
  }

  let weights: AlignedMemory<Float>
  let bias: AlignedMemory<Float>

  /// Packs the taps that `key` names.
  init(_ kernel: ConvolutionKernel, _ key: Key) throws(StyleModelError) {
    let dense = Self.gather(kernel, key)
    weights = try AlignedMemory(zeros: Self.weightCount(kernel, key))
    bias = try AlignedMemory(zeros: Self.biasCount(kernel, key))
    switch key.form {
    case .taps:
      ck_pack_convolution(
        kernel.kind, kernel.groups, kernel.groupInputs, kernel.groupOutputs,
        key.rowTaps.count * key.columnTaps.count, dense, kernel.bias?.floats(), weights.base, bias.base)
    case .winograd:
      ck_pack_winograd(
        kernel.groupInputs, kernel.groupOutputs, key.rowTaps.count, dense, kernel.bias?.floats(),
        weights.base,
        bias.base)
    case .nestedWinograd:
      ck_pack_nested(
        kernel.groupInputs, kernel.groupOutputs, key.rowTaps.count, dense, kernel.bias?.floats(),
        weights.base, bias.base)
    }
  }

  /// The floats that the packed weights take.
  static func weightCount(_ kernel: ConvolutionKernel, _ key: Key) -> Int {
    switch key.form {
    case .taps:
      ck_packed_weight_count(
        kernel.kind, kernel.groups, kernel.groupInputs, kernel.groupOutputs,
        key.rowTaps.count * key.columnTaps.count)
    case .winograd: ck_winograd_weight_count(kernel.groupInputs, kernel.groupOutputs)
    case .nestedWinograd:
      ck_nested_weight_count(kernel.groupInputs, kernel.groupOutputs, key.rowTaps.count)
    }
  }

  /// The floats that the packed bias takes.
  static func biasCount(_ kernel: ConvolutionKernel, _ key: Key) -> Int {
    switch key.form {
    case .taps: ck_packed_bias_count(kernel.kind, kernel.groups, kernel.groupOutputs)
    case .winograd: ck_winograd_bias_count(kernel.groupOutputs)
    case .nestedWinograd: ck_nested_bias_count(kernel.groupOutputs)
    }
  }

  /// The chosen taps as `[C_out][C_in / groups][taps]`.
  private static func gather(_ kernel: ConvolutionKernel, _ key: Key) -> [Float] {
    let source = kernel.weight.floats()
    let columns = kernel.weight.shape[3]
    let area = kernel.weight.shape[2] * columns
    var dense: [Float] = []
    dense.reserveCapacity(kernel.groups * kernel.groupOutputs * kernel.groupInputs * area)
    for output in 0..<kernel.groups * kernel.groupOutputs {
      let (group, position) = output.quotientAndRemainder(dividingBy: kernel.groupOutputs)
      for input in 0..<kernel.groupInputs {
        let plane =
          kernel.isTransposed
          ? ((group * kernel.groupInputs + input) * kernel.groupOutputs + position) * area
          : (output * kernel.groupInputs + input) * area
        for rows in key.rowTaps {
          for taps in key.columnTaps {
            var sum = 0.0
            for row in rows {
              for column in taps { sum += Double(source[plane + row * columns + column]) }
            }
            dense.append(Float(sum))
          }
        }
      }
    }
    return dense
  }
}
