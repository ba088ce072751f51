import CKernels
import ModelGraph

/// The way back through a view or a bilinear enlargement: each pixel's gradient goes to the pixels that it was read from.
struct ScatterStep: Step {
  /// Along one axis: where each index of the result was read from, or -1 for nowhere; after an enlargement from two
  /// places, with the second one's share.
  struct Axis {
    var first: [Int32]
    var second: [Int32]?
    var along: [Float]?

    /// What a view reads.
    init(_ line: [Int32]) { first = line }

    /// What an enlargement blends.
    init(_ axis: BlendStep.Axis) {
      first = axis.lower
      second = axis.upper
      along = axis.weight
    }

    /// For each of `extent` indices that are read: by which of the result, and with what share.
    func readers(extent: Int) -> [[(index: Int, share: Float)]] {
      var readers = [[(index: Int, share: Float)]](repeating: [], count: extent)
      for index in first.indices where first[index] >= 0 {
        let far = along?[index] ?? 0
        readers[Int(first[index])].append((index, 1 - far))
        if let second, far != 0 { readers[Int(second[index])].append((index, far)) }
      }
      return readers
    }
  }

  let source: BufferID
  let sourceLayout: MapLayout
  let output: BufferID
  let layout: MapLayout
  let rows: Axis
  let columns: Axis
  var stages: [Stage] = []

  var reads: [BufferID] { [source] }
  var takesStages: Bool { false }
  var workEstimate: Double { Double((layout.floatCount + sourceLayout.floatCount) * 4) }

  func run(on machine: Machine) {
    let readers = rows.readers(extent: layout.height)
    let gradient = UnsafePointer(machine.pointer(source))
    columns.first.withUnsafeBufferPointer { first in
      withUnsafePointers(columns.second, columns.along) { second, along in
        machine.workers.forEach(layout.height) { row, _ in
          let target = machine.pointer(output) + row * layout.rowStride
          target.update(repeating: 0, count: layout.rowStride)
          var scatter = ck_row_scatter(
            first: first.baseAddress, second: second, along: along, pixels: sourceLayout.width,
            pixel_stride: layout.pixelStride)
          for reader in readers[row] {
            ck_scatter_row(
              machine.kernels, &scatter, gradient + reader.index * sourceLayout.rowStride, reader.share,
              target)
          }
        }
      }
    }
  }

  private func withUnsafePointers(
    _ second: [Int32]?, _ along: [Float]?, _ body: (UnsafePointer<Int32>?, UnsafePointer<Float>?) -> Void
  ) {
    guard let second, let along else { return body(nil, nil) }
    second.withUnsafeBufferPointer { second in
      along.withUnsafeBufferPointer { along in body(second.baseAddress, along.baseAddress) }
    }
  }
}
