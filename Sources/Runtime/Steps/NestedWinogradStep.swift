import CKernels

/// A convolution of large kernels at stride 1, by Winograd's algorithm on blocks of 3×3 taps; with its stages, and the
/// statistics of the result.
struct NestedWinogradStep: Convolving {
  /// Squares of 3×3 pixels that one worker computes, row by row.
  struct Job {
    let rows: Range<Int>
    let columns: Range<Int>
  }

  let kernel: ConvolutionKernel
  let source: BufferID
  let output: BufferID
  let sourceLayout: MapLayout
  let outputLayout: MapLayout
  let taps: Int
  let jobs: [Job]
  var stages: [Stage] = []
  var measures = false
  private let packing: PackedConvolution.Key
  private let rowLine: [Int32]
  private let columnLine: [Int32]
  /// The most squares that lie side by side in a job.
  private let length: Int

  /// Creates the step, or nil where other algorithms suit the shapes better.
  init?(
    _ kernel: ConvolutionKernel, source: BufferID, _ sourceLayout: MapLayout, output: BufferID,
    _ outputLayout: MapLayout, rows: [TapTable], columns: [TapTable]
  ) {
    guard kernel.groups == 1, ck_nested_suits(kernel.groupInputs, kernel.groupOutputs) != 0,
      rows.count == 1, columns.count == 1, rows[0].taps.count == columns[0].taps.count,
      rows[0].taps.count > 3, let rowLine = rows[0].line, let columnLine = columns[0].line
    else { return nil }
    taps = rows[0].taps.count
    let (down, across) = (Self.squares(outputLayout.height), Self.squares(outputLayout.width))
    let blocks = Self.squares(taps)
    // A multiplication takes up to 1.6 times as long as a direct one, with the transformations around it. Squares that
    // hang over the edge count whole.
    let multiplications = down * across * Self.positions * blocks * blocks
    guard multiplications * 8 < outputLayout.pixels * taps * taps * 5 else { return nil }
    self.kernel = kernel
    self.source = source
    self.output = output
    self.sourceLayout = sourceLayout
    self.outputLayout = outputLayout
    self.rowLine = rowLine
    self.columnLine = columnLine
    packing = .init(
      node: kernel.node, rowTaps: rows[0].taps, columnTaps: columns[0].taps, form: .nestedWinograd)
    // It depends on sizes alone, since the statistics are merged job by job. What the rows and columns beyond a job's
    // own cost, they cost anew in each job; the squares of its width are held in the second-level cache.
    let longest = 32
    let height = 8
    let segments = (across + longest - 1) / longest
    let length = max(1, (across + segments - 1) / max(segments, 1))
    self.length = length
    jobs = stride(from: 0, to: down, by: height).flatMap { row in
      stride(from: 0, to: across, by: length).map { column in
        Job(rows: row..<min(row + height, down), columns: column..<min(column + length, across))
      }
    }
  }

  private static var positions: Int { Int(CK_NESTED_EXTENT * CK_NESTED_EXTENT) }

  /// The squares, or blocks of taps, that cover a length.
  private static func squares(_ extent: Int) -> Int {
    (extent + Int(CK_NESTED_TILE) - 1) / Int(CK_NESTED_TILE)
  }

  var reads: [BufferID] { [source] + stages.compactMap(\.other) }
  var takesStages: Bool { !measures }
  var packings: [(key: PackedConvolution.Key, kernel: ConvolutionKernel)] { [(packing, kernel)] }
  var zeroCount: Int { sourceLayout.pixelStride }

  private var tileBytes: Int {
    (ck_nested_scratch_bytes(length, kernel.groupInputs, kernel.groupOutputs, taps) + 63) / 64 * 64
  }

  var scratchBytes: Int {
    tileBytes + (measures ? Measurement.scratchBytes(channels: outputLayout.channels) : 0)
  }

  var spreadCount: Int { measures ? jobs.count * outputLayout.channels : 0 }

  var multiplications: Double {
    let blocks = Self.squares(taps)
    let squares = Self.squares(outputLayout.height) * Self.squares(outputLayout.width)
    return Double(squares * Self.positions * blocks * blocks)
      * Double(kernel.groupInputs * kernel.groupOutputs)
  }

  /// The products and, at about two fifths of their time, the transformations.
  var workEstimate: Double { multiplications * 1.4 }

  var kernelMethod: String { "\(taps)x\(taps) nested" }

  var input: BufferID? { source }
  var unitCount: Int { jobs.count }

  private func pixels(_ squares: Range<Int>, of extent: Int) -> Range<Int> {
    squares.lowerBound * Int(CK_NESTED_TILE)..<min(squares.upperBound * Int(CK_NESTED_TILE), extent)
  }

  func outputRows(of unit: Int) -> Range<Int> { pixels(jobs[unit].rows, of: outputLayout.height) }

  func inputRows(of unit: Int) -> Range<Int> {
    // Whole squares are read, though not beyond what the last row of the output needs.
    let squares = jobs[unit].rows
    let first = squares.lowerBound * Int(CK_NESTED_TILE)
    let end = (squares.upperBound + Self.squares(taps) - 1) * Int(CK_NESTED_TILE) + 2
    return rowLine[first..<min(end, rowLine.count)].indexRange
  }

  private func pixelCount(of job: Job) -> Int {
    pixels(job.rows, of: outputLayout.height).count * pixels(job.columns, of: outputLayout.width).count
  }

  func run(_ units: [Int], on machine: Machine) {
    let channels = outputLayout.channels
    withDescription(machine) { description in
      machine.workers.forEach(units.count) { position, worker in
        let index = units[position]
        let scratch = machine.scratch(worker)
        let moments = (scratch + tileBytes).assumingMemoryBound(to: ck_moments.self)
        run(jobs[index], description, machine, scratch, moments)
        if measures {
          ck_finish_moments(
            moments, pixelCount(of: jobs[index]), channels, machine.spreads.base + index * channels)
        }
      }
    }
  }

  func finish(on machine: Machine) {
    guard measures else { return }
    Measurement.merge(
      machine.spreads.base, tilePixels: jobs.map(pixelCount), channels: outputLayout.channels)
  }

  /// Computes the squares of a job, with what is done to them while they are in the cache.
  private func run(
    _ job: Job, _ description: UnsafePointer<ck_winograd>, _ machine: Machine,
    _ scratch: UnsafeMutableRawPointer, _ moments: UnsafeMutablePointer<ck_moments>
  ) {
    let columns = pixels(job.columns, of: outputLayout.width)
    for squares in job.rows {
      ck_convolve_nested(
        machine.kernels, description, squares, job.columns.lowerBound, job.columns.upperBound,
        squares > job.rows.lowerBound ? 1 : 0, scratch)
      guard measures || !stages.isEmpty else { continue }
      for row in pixels(squares..<squares + 1, of: outputLayout.height) {
        let first = row * outputLayout.width + columns.lowerBound
        if !stages.isEmpty {
          machine.apply(
            stages, first: first, count: columns.count, of: output, pixelStride: outputLayout.pixelStride)
        }
        guard measures else { continue }
        let pixels = UnsafePointer(machine.pointer(output)) + first * outputLayout.pixelStride
        if row == job.rows.lowerBound * Int(CK_NESTED_TILE) {
          ck_start_moments(pixels, outputLayout.channels, moments)
        }
        ck_add_moments(
          machine.kernels, pixels, columns.count, outputLayout.pixelStride, outputLayout.channels, moments)
      }
    }
  }

  /// Calls `body` with the convolution as the kernels want it, in memory that is theirs until `body` returns.
  private func withDescription(_ machine: Machine, _ body: (UnsafePointer<ck_winograd>) -> Void) {
    guard let packed = machine.weights[packing] else { preconditionFailure("weights are packed first") }
    rowLine.withUnsafeBufferPointer { rows in
      columnLine.withUnsafeBufferPointer { columns in
        let description = ck_winograd(
          input: machine.pointer(source), input_row_stride: sourceLayout.rowStride,
          input_pixel_stride: sourceLayout.pixelStride, output: machine.pointer(output),
          output_row_stride: outputLayout.rowStride, output_pixel_stride: outputLayout.pixelStride,
          output_rows: outputLayout.height, output_columns: outputLayout.width, rows: rows.baseAddress,
          columns: columns.baseAddress, taps: taps, inputs: kernel.groupInputs,
          outputs: kernel.groupOutputs, weights: packed.weights.base, bias: packed.bias.base,
          zeros: machine.zeros.base)
        withUnsafePointer(to: description, body)
      }
    }
  }
}
