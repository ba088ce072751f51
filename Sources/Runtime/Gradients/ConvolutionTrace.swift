package import ModelGraph
import Tensors

/// A convolution on the way back through a network: what it read on the way there, and the gradient of what it computed.
/// The memory is only lent: it must not outlive the call that it is passed to. It may be read from several threads at once.
package struct ConvolutionTrace {
  /// Where in a plan it is found.
  struct Place {
    let node: ValueID
    let weight: ValueID
    let isTransposed: Bool
    let groups: Int
    let shape: Shape
    let input: BufferID
    let inputLayout: MapLayout
    /// `[output rows][kernel rows]`: the row of the input that is read, or -1 for zeros.
    let rows: [Int32]
    /// `[output columns][kernel columns]`.
    let columns: [Int32]
    let gradient: BufferID
    let gradientLayout: MapLayout
  }

  private let place: Place
  private let input: UnsafePointer<Float>
  private let output: UnsafePointer<Float>

  init(_ place: Place, input: UnsafePointer<Float>, gradient: UnsafePointer<Float>) {
    self.place = place
    self.input = input
    output = gradient
  }

  /// The value that the convolution computes.
  package var node: ValueID { place.node }
  /// Its weights.
  package var weight: ValueID { place.weight }
  /// Whether it is a transposed one, whose weights are `[C_in, C_out / groups, kH, kW]`.
  package var isTransposed: Bool { place.isTransposed }
  /// The number of groups.
  package var groups: Int { place.groups }
  /// The output channels of one group.
  package var groupOutputs: Int { place.gradientLayout.channels / place.groups }
  /// The input channels of one group.
  package var groupInputs: Int { place.inputLayout.channels / place.groups }
  /// The taps of a kernel.
  package var taps: Int { place.shape[2] * place.shape[3] }
  /// The rows of the result.
  package var height: Int { place.gradientLayout.height }
  /// The columns of the result.
  package var width: Int { place.gradientLayout.width }

  /// Reads the gradient of one group's results at one position: `groupOutputs` floats.
  package func readGradient(row: Int, column: Int, group: Int, into values: UnsafeMutablePointer<Float>) {
    let layout = place.gradientLayout
    let pixel = output + row * layout.rowStride + column * layout.pixelStride + group * groupOutputs
    values.update(from: pixel, count: groupOutputs)
  }

  /// The sum of the squared gradients of one group's results at one position.
  package func energy(row: Int, column: Int, group: Int) -> Double {
    let layout = place.gradientLayout
    let pixel = output + row * layout.rowStride + column * layout.pixelStride + group * groupOutputs
    var sum = 0.0
    for channel in 0..<groupOutputs { sum += Double(pixel[channel]) * Double(pixel[channel]) }
    return sum
  }

  /// Reads what the weights of one group are multiplied with at one position: `groupInputs * taps` floats, in the order
  /// of the weights, the taps of one input channel side by side; zeros outside the picture, and where a tap of a transposed
  /// convolution does not reach the position.
  package func readPatch(row: Int, column: Int, group: Int, into values: UnsafeMutablePointer<Float>) {
    let (tapRows, tapColumns) = (place.shape[2], place.shape[3])
    let layout = place.inputLayout
    let inputs = groupInputs
    let taps = tapRows * tapColumns
    for y in 0..<tapRows {
      let sourceRow = Int(place.rows[row * tapRows + y])
      for x in 0..<tapColumns {
        let sourceColumn = Int(place.columns[column * tapColumns + x])
        let tap = values + y * tapColumns + x
        if sourceRow < 0 || sourceColumn < 0 {
          for channel in 0..<inputs { tap[channel * taps] = 0 }
        } else {
          let pixel =
            input + sourceRow * layout.rowStride + sourceColumn * layout.pixelStride + group * inputs
          for channel in 0..<inputs { tap[channel * taps] = pixel[channel] }
        }
      }
    }
  }
}
