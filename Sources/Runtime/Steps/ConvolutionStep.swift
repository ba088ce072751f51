import CKernels

/// A convolution, plain or transposed, of a view of a buffer; with its stages, and the statistics of the result.
struct ConvolutionStep: Convolving {
  /// Every so-many-th pixel of the output, computed from the same taps.
  struct Phase {
    let rows: TapTable
    let columns: TapTable
    let packing: PackedConvolution.Key
  }

  /// A rectangle of one phase, in the phase's own coordinates.
  struct Tile {
    let phase: Int
    let rows: Range<Int>
    let columns: Range<Int>
  }

  let kernel: ConvolutionKernel
  let source: BufferID
  let output: BufferID
  let sourceLayout: MapLayout
  let outputLayout: MapLayout
  let phases: [Phase]
  let tiles: [Tile]
  var stages: [Stage] = []
  var measures = false

  init(
    _ kernel: ConvolutionKernel, source: BufferID, _ sourceLayout: MapLayout, output: BufferID,
    _ outputLayout: MapLayout, rows: [TapTable], columns: [TapTable]
  ) {
    self.kernel = kernel
    self.source = source
    self.output = output
    self.sourceLayout = sourceLayout
    self.outputLayout = outputLayout
    phases = rows.flatMap { row in
      columns.map { column in
        Phase(
          rows: row, columns: column,
          packing: .init(node: kernel.node, rowTaps: row.taps, columnTaps: column.taps, form: .taps))
      }
    }
    tiles = Self.tiles(phases)
  }

  /// Splits the phases into tiles: whole rows where they are short, several of them where there are many. It
  /// depends on sizes alone, since the statistics are merged tile by tile.
  private static func tiles(_ phases: [Phase]) -> [Tile] {
    // In pixels: whole blocks of every kernel, and few enough for their results to stay in the cache.
    let longestRun = 252
    let greatestCount = 512
    let mostRows = 8  // a large map is worked on in bands that are not much higher
    let runs = phases.reduce(0) {
      $0 + $1.rows.outputs * (($1.columns.outputs + longestRun - 1) / longestRun)
    }
    let rowsPerTile = min((runs + greatestCount - 1) / greatestCount, mostRows)
    var tiles: [Tile] = []
    for (index, phase) in phases.enumerated() {
      let segments = (phase.columns.outputs + longestRun - 1) / longestRun
      let length = (phase.columns.outputs + segments - 1) / segments
      let run = min((length + 11) / 12 * 12, longestRun)
      for row in stride(from: 0, to: phase.rows.outputs, by: rowsPerTile) {
        for column in stride(from: 0, to: phase.columns.outputs, by: run) {
          tiles.append(
            Tile(
              phase: index, rows: row..<min(row + rowsPerTile, phase.rows.outputs),
              columns: column..<min(column + run, phase.columns.outputs)))
        }
      }
    }
    return tiles
  }

  var reads: [BufferID] { [source] + stages.compactMap(\.other) }

  /// The pixels of a phase do not stand side by side where there are several.
  var takesStages: Bool { !measures && phases.count == 1 }

  var packings: [(key: PackedConvolution.Key, kernel: ConvolutionKernel)] {
    phases.map { ($0.packing, kernel) }
  }

  var zeroCount: Int { (phases.map { $0.columns.taps.count }.max() ?? 0) * sourceLayout.pixelStride }

  private var pointerBytes: Int {
    tiles.map { tile in
      let phase = phases[tile.phase]
      return ck_convolution_scratch_bytes(
        tile.columns.count, phase.rows.taps.count * phase.columns.taps.count)
    }.max() ?? 0
  }

  var scratchBytes: Int {
    (pointerBytes + 63) / 64 * 64 + (measures ? Measurement.scratchBytes(channels: outputLayout.channels) : 0)
  }

  var spreadCount: Int { measures ? tiles.count * outputLayout.channels : 0 }

  var workEstimate: Double {
    phases.reduce(0) { sum, phase in
      let taps = phase.rows.taps.count * phase.columns.taps.count
      return sum + Double(phase.rows.outputs * phase.columns.outputs)
        * Double(kernel.groups * kernel.groupOutputs * (kernel.groupInputs * taps + 4))
    }
  }

  var input: BufferID? { source }
  var unitCount: Int { tiles.count }

  func outputRows(of unit: Int) -> Range<Int> {
    let tile = tiles[unit]
    let rows = phases[tile.phase].rows
    return rows.first + tile.rows.lowerBound * rows.step..<rows.first + (tile.rows.upperBound - 1) * rows.step
      + 1
  }

  func inputRows(of unit: Int) -> Range<Int> {
    let tile = tiles[unit]
    let rows = phases[tile.phase].rows
    let taps = rows.taps.count
    return rows.indices[tile.rows.lowerBound * taps..<tile.rows.upperBound * taps].indexRange
  }

  func run(_ units: [Int], on machine: Machine) {
    let momentsOffset = (pointerBytes + 63) / 64 * 64
    let channels = outputLayout.channels
    withDescriptions(machine) { descriptions in
      machine.workers.forEach(units.count) { position, worker in
        let index = units[position]
        let tile = tiles[index]
        let scratch = machine.scratch(worker)
        let moments = (scratch + momentsOffset).assumingMemoryBound(to: ck_moments.self)
        withUnsafePointer(to: descriptions[tile.phase]) { description in
          for row in tile.rows {
            ck_convolve(
              machine.kernels, description, row, row + 1, tile.columns.lowerBound, tile.columns.upperBound,
              scratch)
            if !stages.isEmpty {
              machine.apply(
                stages, first: row * outputLayout.width + tile.columns.lowerBound, count: tile.columns.count,
                of: output, pixelStride: outputLayout.pixelStride)
            }
            guard measures else { continue }
            let pixelStride = description.pointee.output_pixel_stride
            let pixels =
              UnsafePointer(description.pointee.output) + row * description.pointee.output_row_stride
              + tile.columns.lowerBound * pixelStride
            if row == tile.rows.lowerBound { ck_start_moments(pixels, channels, moments) }
            ck_add_moments(machine.kernels, pixels, tile.columns.count, pixelStride, channels, moments)
          }
        }
        if measures {
          ck_finish_moments(
            moments, tile.rows.count * tile.columns.count, channels, machine.spreads.base + index * channels)
        }
      }
    }
  }

  func finish(on machine: Machine) {
    guard measures else { return }
    Measurement.merge(
      machine.spreads.base, tilePixels: tiles.map { $0.rows.count * $0.columns.count },
      channels: outputLayout.channels)
  }

  /// Calls `body` with the phases as the kernels want them, in memory that is theirs until `body` returns.
  private func withDescriptions(_ machine: Machine, _ body: (UnsafePointer<ck_convolution>) -> Void) {
    var descriptions: [ck_convolution] = []
    var tables = phases.flatMap { $0.rows.indices + $0.columns.indices }
    tables.append(-1)  // no phase's own: where no tap reaches any output, the tables still have an address
    tables.withUnsafeBufferPointer { tables in
      guard var table = tables.baseAddress else { return }
      for phase in phases {
        guard let packed = machine.weights[phase.packing] else {
          preconditionFailure("weights are packed first")
        }
        let rows = table
        let columns = rows + phase.rows.indices.count
        table = columns + phase.columns.indices.count
        let first = phase.rows.first * outputLayout.rowStride + phase.columns.first * outputLayout.pixelStride
        descriptions.append(
          ck_convolution(
            kind: kernel.kind, input: machine.pointer(source), input_row_stride: sourceLayout.rowStride,
            input_pixel_stride: sourceLayout.pixelStride, output: machine.pointer(output) + first,
            output_row_stride: phase.rows.step * outputLayout.rowStride,
            output_pixel_stride: phase.columns.step * outputLayout.pixelStride, rows: rows, columns: columns,
            tap_rows: phase.rows.taps.count, tap_columns: phase.columns.taps.count, groups: kernel.groups,
            group_inputs: kernel.groupInputs, group_outputs: kernel.groupOutputs,
            weights: packed.weights.base, bias: packed.bias.base, zeros: machine.zeros.base))
      }
      descriptions.withUnsafeBufferPointer { buffer in
        if let base = buffer.baseAddress { body(base) }
      }
    }
  }
}
