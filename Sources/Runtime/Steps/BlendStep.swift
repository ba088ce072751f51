import CKernels
import ModelGraph

/// A picture resampled between its four nearest pixels.
struct BlendStep: UnitStep {
  /// Along one axis: the two input indices of each output index, and how far it lies from the first to the second.
  struct Axis {
    var lower: [Int32] = []
    var upper: [Int32] = []
    var weight: [Float] = []

    /// Beyond the outermost pixels nothing changes.
    init(extent: Int, count: Int, _ placement: Resize.Placement) {
      for index in 0..<count {
        let position = placement.position(index, of: count, on: extent)
        let whole = Int(position)
        lower.append(Int32(whole))
        upper.append(Int32(min(whole + 1, extent - 1)))
        weight.append(Float(position - Double(whole)))
      }
    }
  }

  let source: BufferID
  let sourceLayout: MapLayout
  let output: BufferID
  let layout: MapLayout
  let rows: Axis
  let columns: Axis
  var stages: [Stage] = []

  init(
    source: BufferID, _ sourceLayout: MapLayout, output: BufferID, _ layout: MapLayout,
    _ placement: Resize.Placement
  ) {
    self.source = source
    self.sourceLayout = sourceLayout
    self.output = output
    self.layout = layout
    rows = Axis(extent: sourceLayout.height, count: layout.height, placement)
    columns = Axis(extent: sourceLayout.width, count: layout.width, placement)
  }

  var reads: [BufferID] { [source] + stages.compactMap(\.other) }

  var workEstimate: Double { Double(layout.floatCount * (8 + 4 * stages.count)) }

  var input: BufferID? { source }
  var unitCount: Int { layout.height }
  func outputRows(of unit: Int) -> Range<Int> { unit..<unit + 1 }
  func inputRows(of unit: Int) -> Range<Int> { Int(rows.lower[unit])..<Int(rows.upper[unit]) + 1 }

  func run(_ units: [Int], on machine: Machine) {
    let input = UnsafePointer(machine.pointer(source))
    columns.lower.withUnsafeBufferPointer { left in
      columns.upper.withUnsafeBufferPointer { right in
        columns.weight.withUnsafeBufferPointer { along in
          machine.workers.forEach(units.count) { position, _ in
            let row = units[position]
            var blend = ck_row_blend(
              top: input + Int(rows.lower[row]) * sourceLayout.rowStride,
              bottom: input + Int(rows.upper[row]) * sourceLayout.rowStride, down: rows.weight[row],
              left: left.baseAddress, right: right.baseAddress, along: along.baseAddress,
              pixels: layout.width,
              pixel_stride: layout.pixelStride)
            ck_blend_row(machine.kernels, &blend, machine.pointer(output) + row * layout.rowStride)
            if !stages.isEmpty {
              machine.apply(
                stages, first: row * layout.width, count: layout.width, of: output,
                pixelStride: layout.pixelStride)
            }
          }
        }
      }
    }
  }
}
