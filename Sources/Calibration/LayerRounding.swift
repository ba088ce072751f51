import CKernels
import Diagnostics
import Runtime

/// One group of a convolution's weights, made ready to be rounded any number of times.
final class LayerRounding: @unchecked Sendable {
  /// The order in which rows are rounded.
  let rowOrder: [Int]
  /// The conditional energy of each row, by its own index.
  let rowEnergies: [Float]
  /// The mean of the conditional energies of the columns.
  let meanColumnEnergy: Double
  let rows: Int
  let columns: Int
  /// The order in which columns are rounded.
  let columnOrder: [Int]
  /// The conditional energies of the columns, in that order.
  let columnEnergies: [Float]
  private let stride: Int
  /// `[column][row]`, both in order.
  private let weights: AlignedMemory<Float>
  private let columnFeed: AlignedMemory<Float>
  private let rowFeed: AlignedMemory<Float>

  /// - Parameters:
  ///   - keepsRowOrder: whether rows are rounded in their own order and not in that of their moments: the states of dependent
  ///     rounding follow one another so, and whoever reads them must know the order.
  ///   - weight: the weight of a row and a column.
  init(
    _ moments: CalibrationStatistics.Moments, rows: Int, columns: Int, options: RoundingOptions,
    keepsRowOrder: Bool, workers: Workers,
    weight: (_ row: Int, _ column: Int) -> Float
  ) throws(StyleModelError) {
    let inputs = try TriangularFactor(
      moments.inputs, count: columns, damping: options.inputDamping, workers: workers)
    let gradients = try TriangularFactor(
      moments.gradients, count: rows, damping: options.gradientDamping,
      order: keepsRowOrder ? Array(0..<rows) : nil, workers: workers)
    self.rows = rows
    self.columns = columns
    rowOrder = gradients.order
    columnOrder = inputs.order
    columnEnergies = inputs.energies
    meanColumnEnergy = inputs.energies.reduce(0) { $0 + Double($1) } / Double(max(columns, 1))
    var rowEnergies = [Float](repeating: 0, count: rows)
    for (place, row) in gradients.order.enumerated() { rowEnergies[row] = gradients.energies[place] }
    self.rowEnergies = rowEnergies
    let width = CK_PANEL_WIDTH
    let stride = (rows + width - 1) / width * width
    self.stride = stride
    weights = try AlignedMemory(zeros: columns * stride)
    for (place, column) in inputs.order.enumerated() {
      for (rowPlace, row) in gradients.order.enumerated() {
        weights.base[place * stride + rowPlace] = weight(row, column)
      }
    }
    rowFeed = try AlignedMemory(zeros: rows * stride)
    for earlier in 0..<rows {
      for later in 0..<rows where later > earlier {
        rowFeed.base[earlier * stride + later] = gradients.feed(from: earlier, to: later)
      }
    }
    let panelCount = (columns + width - 1) / width
    columnFeed = try AlignedMemory(zeros: Self.offset(of: panelCount))
    let base = columnFeed.base
    workers.forEach(panelCount) { panel, _ in
      let target = base + Self.offset(of: panel)
      for later in panel * width..<min(columns, (panel + 1) * width) {
        for earlier in 0..<later {
          target[earlier * width + later % width] = inputs.feed(from: earlier, to: later)
        }
      }
    }
  }

  private static func offset(of panel: Int) -> Int {
    CK_PANEL_WIDTH * CK_PANEL_WIDTH * panel * (panel + 1) / 2
  }

  /// What a row is rounded to, for the row's own index.
  struct Grid {
    var step: Float
    var offset: Float = 0
    var lowest: Int32 = -(1 << 22)
    var highest: Int32 = 1 << 22
    /// The numbers that the integers stand for, sorted; nil where they are multiples of the step.
    var table: UnsafePointer<Float>?
    /// Code lengths, which of several may be shared; nil where bits do not count.
    var rates: UnsafePointer<Float>?
  }

  /// Rounds the weights.
  /// - Parameters:
  ///   - grid: what each row is rounded to, by its own index.
  ///   - bitWorth: what a bit is worth, in squared change of the picture.
  ///   - isDependent: whether the integers of a column follow the states of `ck_round_dependently`.
  ///   - integer: is given every integer.
  /// - Returns: the squared change of the picture that is expected.
  func round(
    _ grid: [Grid], deadZone: Double, bitWorth: Double, isDependent: Bool,
    integer: (_ row: Int, _ column: Int, _ integer: Int32) -> Void
  ) throws(StyleModelError) -> Double {
    let errors = try AlignedMemory<Float>(zeros: columns * stride)
    let integers = try AlignedMemory<Int32>(zeros: columns * stride)
    let scratch = try AlignedMemory<UInt8>(zeros: isDependent ? ck_dependent_rounding_scratch_bytes(rows) : 0)
    let rowGrid = rowOrder.map { row in
      ck_rounding_row(
        step: grid[row].step, offset: grid[row].offset, lowest: grid[row].lowest, highest: grid[row].highest,
        table: grid[row].table,
        dead_zone: Float(deadZone), energy: rowEnergies[row], rates: grid[row].rates)
    }
    var loss = 0.0
    rowGrid.withUnsafeBufferPointer { rowGrid in
      columnEnergies.withUnsafeBufferPointer { energies in
        var rounding = ck_rounding(
          rows: rows, columns: columns, row_stride: stride, weights: weights.base,
          column_feed: columnFeed.base,
          row_feed: rowFeed.base, column_energies: energies.baseAddress, grid: rowGrid.baseAddress,
          bit_worth: Float(bitWorth), errors: errors.base, integers: integers.base)
        let kernels = ck_best_instructions()
        loss =
          isDependent
          ? ck_round_dependently(kernels, &rounding, scratch.base) : ck_round(kernels, &rounding)
      }
    }
    for (place, column) in columnOrder.enumerated() {
      for (rowPlace, row) in rowOrder.enumerated() {
        integer(row, column, integers.base[place * stride + rowPlace])
      }
    }
    return loss
  }
}
