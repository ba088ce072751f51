import CKernels

/// A convolution of 3×3 taps at stride 1, or the four of 2×2 taps that remain of one behind a doubling, by Winograd's
/// algorithm; with its stages, and the statistics of the result.
struct WinogradStep: Convolving {
  /// Every so-many-th pixel of the output.
  struct Phase {
    let rows: TapTable
    let columns: TapTable
    let rowLine: [Int32]
    let columnLine: [Int32]
    let tiling: WinogradTiling
    let packing: PackedConvolution.Key
  }

  /// Tiles of one phase that one worker computes, batch by batch.
  struct Job {
    let phase: Int
    let tiles: Range<Int>
  }

  let kernel: ConvolutionKernel
  let source: BufferID
  let output: BufferID
  let sourceLayout: MapLayout
  let outputLayout: MapLayout
  let phases: [Phase]
  let jobs: [Job]
  var stages: [Stage] = []
  var measures = false

  /// Creates the step, or nil where direct convolution suits the shapes better.
  init?(
    _ kernel: ConvolutionKernel, source: BufferID, _ sourceLayout: MapLayout, output: BufferID,
    _ outputLayout: MapLayout, rows: [TapTable], columns: [TapTable]
  ) {
    guard kernel.groups == 1, kernel.groupInputs >= 8, kernel.groupOutputs >= 8 else { return nil }
    var phases: [Phase] = []
    for row in rows {
      for column in columns {
        guard let phase = Self.phase(kernel, row, column) else { return nil }
        phases.append(phase)
      }
    }
    self.kernel = kernel
    self.source = source
    self.output = output
    self.sourceLayout = sourceLayout
    self.outputLayout = outputLayout
    self.phases = phases
    jobs = Self.jobs(phases, batch: ck_winograd_batch(sourceLayout.pixelStride))
  }

  private static func phase(_ kernel: ConvolutionKernel, _ rows: TapTable, _ columns: TapTable) -> Phase? {
    let taps = rows.taps.count
    guard taps == columns.taps.count, taps == 2 || taps == 3, let rowLine = rows.line,
      let columnLine = columns.line
    else { return nil }
    let tiling = WinogradTiling(
      size: ck_winograd_tile(taps), rows: rows.outputs, columns: columns.outputs)
    // A multiplication in a tile takes up to twice as long as a direct one, with the transformations around it: that
    // is what was measured for 8 channels, and it is 1.4 times for 128. Tiles that hang over the edge count whole.
    let positions = CK_WINOGRAD_EXTENT * CK_WINOGRAD_EXTENT
    guard tiling.count * positions * 2 < rows.outputs * columns.outputs * taps * taps else { return nil }
    return Phase(
      rows: rows, columns: columns, rowLine: rowLine, columnLine: columnLine, tiling: tiling,
      packing: .init(node: kernel.node, rowTaps: rows.taps, columnTaps: columns.taps, form: .winograd))
  }

  /// Shares the tiles out in whole batches, a few of them a job where there are many. It depends on sizes alone, since
  /// the statistics are merged job by job.
  private static func jobs(_ phases: [Phase], batch: Int) -> [Job] {
    let greatestCount = 512
    let mostBatches = 8  // a large map is worked on in bands that are not much higher
    let batches = phases.reduce(0) { $0 + ($1.tiling.count + batch - 1) / batch }
    let length = min((batches + greatestCount - 1) / greatestCount, mostBatches) * batch
    return phases.enumerated().flatMap { index, phase in
      stride(from: 0, to: phase.tiling.count, by: length).map { first in
        Job(phase: index, tiles: first..<min(first + length, phase.tiling.count))
      }
    }
  }

  var reads: [BufferID] { [source] + stages.compactMap(\.other) }

  /// The pixels of a phase do not stand side by side where there are several.
  var takesStages: Bool { !measures && phases.count == 1 }

  var packings: [(key: PackedConvolution.Key, kernel: ConvolutionKernel)] {
    phases.map { ($0.packing, kernel) }
  }

  var zeroCount: Int { sourceLayout.pixelStride }

  private var tileBytes: Int { ck_winograd_scratch_bytes(sourceLayout.pixelStride) }

  var scratchBytes: Int {
    tileBytes + (measures ? Measurement.scratchBytes(channels: outputLayout.channels) : 0)
  }

  var spreadCount: Int { measures ? jobs.count * outputLayout.channels : 0 }

  /// The products and, at about two fifths of their time, the transformations.
  var workEstimate: Double { multiplications * 1.4 }

  var input: BufferID? { source }
  var unitCount: Int { jobs.count }

  /// The rows of its phase that a job computes.
  private func phaseRows(of job: Job) -> Range<Int> {
    let areas = phases[job.phase].tiling.areas(of: job.tiles)
    guard let first = areas.first, let last = areas.last else { return 0..<0 }
    return first.rows.lowerBound..<last.rows.upperBound
  }

  func outputRows(of unit: Int) -> Range<Int> {
    let rows = phaseRows(of: jobs[unit])
    let table = phases[jobs[unit].phase].rows
    return table.first + rows.lowerBound * table.step..<table.first + (rows.upperBound - 1) * table.step + 1
  }

  func inputRows(of unit: Int) -> Range<Int> {
    let phase = phases[jobs[unit].phase]
    let rows = phaseRows(of: jobs[unit])
    return phase.rowLine[rows.lowerBound..<rows.upperBound + phase.rows.taps.count - 1].indexRange
  }

  func run(_ units: [Int], on machine: Machine) {
    let channels = outputLayout.channels
    let momentsOffset = tileBytes
    withDescriptions(machine) { descriptions in
      machine.workers.forEach(units.count) { position, worker in
        let index = units[position]
        let job = jobs[index]
        let scratch = machine.scratch(worker)
        let moments = (scratch + momentsOffset).assumingMemoryBound(to: ck_moments.self)
        run(job, descriptions + job.phase, machine, scratch, moments)
        if measures {
          ck_finish_moments(moments, pixels(of: job), channels, machine.spreads.base + index * channels)
        }
      }
    }
  }

  func finish(on machine: Machine) {
    guard measures else { return }
    Measurement.merge(machine.spreads.base, tilePixels: jobs.map(pixels), channels: outputLayout.channels)
  }

  private func pixels(of job: Job) -> Int {
    phases[job.phase].tiling.areas(of: job.tiles).reduce(0) { $0 + $1.count }
  }

  /// Computes the tiles of a job, with what is done to them while they are in the cache.
  private func run(
    _ job: Job, _ description: UnsafePointer<ck_winograd>, _ machine: Machine,
    _ scratch: UnsafeMutableRawPointer,
    _ moments: UnsafeMutablePointer<ck_moments>
  ) {
    let it = description.pointee
    let batch = ck_winograd_batch(sourceLayout.pixelStride)
    for first in stride(from: job.tiles.lowerBound, to: job.tiles.upperBound, by: batch) {
      let tiles = first..<min(first + batch, job.tiles.upperBound)
      ck_convolve_winograd(machine.kernels, description, tiles.lowerBound, tiles.upperBound, scratch)
      guard measures || !stages.isEmpty else { continue }
      var isFirst = first == job.tiles.lowerBound
      for area in phases[job.phase].tiling.areas(of: tiles) {
        for row in area.rows {
          if !stages.isEmpty {
            machine.apply(
              stages, first: row * outputLayout.width + area.columns.lowerBound, count: area.columns.count,
              of: output, pixelStride: outputLayout.pixelStride)
          }
          guard measures else { continue }
          let pixels =
            UnsafePointer(it.output) + row * it.output_row_stride
            + area.columns.lowerBound * it.output_pixel_stride
          if isFirst { ck_start_moments(pixels, outputLayout.channels, moments) }
          isFirst = false
          ck_add_moments(
            machine.kernels, pixels, area.columns.count, it.output_pixel_stride, outputLayout.channels,
            moments)
        }
      }
    }
  }

  /// Calls `body` with the phases as the kernels want them, in memory that is theirs until `body` returns.
  private func withDescriptions(_ machine: Machine, _ body: (UnsafePointer<ck_winograd>) -> Void) {
    let tables = phases.flatMap { $0.rowLine + $0.columnLine }
    tables.withUnsafeBufferPointer { tables in
      guard var table = tables.baseAddress else { return }
      let descriptions = phases.map { phase in
        guard let packed = machine.weights[phase.packing] else {
          preconditionFailure("weights are packed first")
        }
        let rows = table
        let columns = rows + phase.rowLine.count
        table = columns + phase.columnLine.count
        let first = phase.rows.first * outputLayout.rowStride + phase.columns.first * outputLayout.pixelStride
        return ck_winograd(
          input: machine.pointer(source), input_row_stride: sourceLayout.rowStride,
          input_pixel_stride: sourceLayout.pixelStride, output: machine.pointer(output) + first,
          output_row_stride: phase.rows.step * outputLayout.rowStride,
          output_pixel_stride: phase.columns.step * outputLayout.pixelStride,
          output_rows: phase.rows.outputs, output_columns: phase.columns.outputs, rows: rows,
          columns: columns,
          taps: phase.rows.taps.count, inputs: kernel.groupInputs, outputs: kernel.groupOutputs,
          weights: packed.weights.base, bias: packed.bias.base, zeros: machine.zeros.base)
      }
      descriptions.withUnsafeBufferPointer { buffer in
        if let base = buffer.baseAddress { body(base) }
      }
    }
  }
}
