import CKernels
import Diagnostics
import Runtime

/// The factor R of a damped matrix of second moments, M = R Rᵀ with R upper triangular, its rows and columns in the order in
/// which errors are made and made up for: those of the largest moments first.
struct TriangularFactor {
  /// The index of each row and column in the matrix.
  let order: [Int]
  /// The squared diagonal: what is left of each moment once all later ones are free to make up for it.
  let energies: [Float]
  /// `[column][row]`, in panels of 8 rows from the last one back; `value` reads it.
  private let panels: AlignedMemory<Double>
  private let count: Int

  /// Factors a matrix.
  /// - Parameters:
  ///   - moments: `[count, count]`, symmetric.
  ///   - damping: the share of the mean of the diagonal that is added to it.
  init(
    _ moments: [Float], count: Int, damping: Double, order: [Int]? = nil, workers: Workers
  ) throws(StyleModelError) {
    let width = CK_FACTOR_WIDTH
    let diagonal = (0..<count).map { Double(moments[$0 * count + $0]) }
    let mean = diagonal.reduce(0, +) / Double(max(count, 1))
    guard mean.isFinite else { throw StyleModelError(.badInput, "the moments of a layer are not finite") }
    // A layer that nothing reaches is rounded as if all of its weights counted the same.
    let added = mean > 0 ? damping * mean : 1
    let order = order ?? (0..<count).sorted { (-diagonal[$0], $0) < (-diagonal[$1], $1) }
    let panelCount = (count + width - 1) / width
    let panels = try AlignedMemory<Double>(zeros: Self.offset(of: panelCount))
    // The usual factor, lower triangular, of the matrix turned about: its last row is the first in order.
    let base = panels.base
    moments.withUnsafeBufferPointer { moments in
      nonisolated(unsafe) let moments = moments
      workers.forEach(panelCount) { panel, _ in
        let target = base + Self.offset(of: panel)
        for row in panel * width..<(panel + 1) * width {
          for column in 0...row {
            let place = target + column * width + row % width
            if row >= count {
              place.pointee = row == column ? 1 : 0
            } else {
              let (i, j) = (order[count - 1 - row], order[count - 1 - column])
              place.pointee = Double(moments[i * count + j]) + (i == j ? added : 0)
            }
          }
        }
      }
    }
    let kernels = ck_best_instructions()
    for column in 0..<panelCount {
      let diagonalPanel = base + Self.offset(of: column)
      guard ck_factor_tile(kernels, diagonalPanel, diagonalPanel, column, 1) == 0 else {
        throw StyleModelError(
          .internalFault, "the moments of a layer have no factor", remedy: "please report it")
      }
      let below = column + 1..<panelCount
      let chunk = 8
      workers.forEach((below.count + chunk - 1) / chunk) { part, _ in
        for row in below.dropFirst(part * chunk).prefix(chunk) {
          _ = ck_factor_tile(kernels, diagonalPanel, base + Self.offset(of: row), column, 0)
        }
      }
    }
    self.order = order
    self.panels = panels
    self.count = count
    var energies: [Float] = []
    for index in 0..<count {
      let row = count - 1 - index
      let root = panels.base[Self.offset(of: row / width) + row * width + row % width]
      energies.append(Float(root * root))
    }
    self.energies = energies
  }

  /// Where a panel begins.
  private static func offset(of panel: Int) -> Int {
    CK_FACTOR_WIDTH * CK_FACTOR_WIDTH * panel * (panel + 1) / 2
  }

  /// R[earlier][later] / R[later][later].
  func feed(from earlier: Int, to later: Int) -> Float {
    let width = CK_FACTOR_WIDTH
    let (row, column) = (count - 1 - earlier, count - 1 - later)
    let value = panels.base[Self.offset(of: row / width) + column * width + row % width]
    let root = panels.base[Self.offset(of: column / width) + column * width + column % width]
    return Float(value / root)
  }
}
