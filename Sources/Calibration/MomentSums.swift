import CKernels
import Diagnostics
import Runtime

/// The sums of the products of pairs of numbers over many vectors: Σ x xᵀ, to which vectors are added a block at a time.
///
/// Only the upper half is summed, tile by tile, so that the result does not depend on the number of threads.
final class MomentSums {
  /// The vectors of a block.
  static let blockSize = 256

  /// The length of a vector.
  let count: Int
  private let width = CK_PANEL_WIDTH
  private let panels: Int
  /// `[row][column]`, both rounded up to whole panels.
  private var sums: [Float]
  /// `[panel][vector][16]`.
  private let block: AlignedMemory<Float>

  init(count: Int) throws(StyleModelError) {
    self.count = count
    panels = (count + width - 1) / width
    sums = [Float](repeating: 0, count: panels * width * panels * width)
    block = try AlignedMemory(zeros: panels * Self.blockSize * width)
  }

  /// Adds vectors.
  /// - Parameter read: writes a vector, `count` floats; is called from several threads.
  func add(
    _ vectors: Int, _ workers: Workers, read: (_ vector: Int, _ values: UnsafeMutablePointer<Float>) -> Void
  ) {
    let kernels = ck_best_instructions()
    for first in stride(from: 0, to: vectors, by: Self.blockSize) {
      let here = min(Self.blockSize, vectors - first)
      let lanes = 8
      workers.forEach((here + lanes - 1) / lanes) { part, _ in
        withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { values in
          guard let base = values.baseAddress else { return }
          for vector in part * lanes..<min(here, (part + 1) * lanes) {
            read(first + vector, base)
            for panel in 0..<panels {
              let target = block.base + (panel * Self.blockSize + vector) * width
              let used = min(width, count - panel * width)
              target.update(from: base + panel * width, count: used)
            }
          }
        }
      }
      sums.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        nonisolated(unsafe) let sums = base
        workers.forEach(panels) { row, _ in
          withUnsafeTemporaryAllocation(of: Float.self, capacity: CK_PANEL_WIDTH * CK_PANEL_WIDTH) { tile in
            guard let tile = tile.baseAddress else { return }
            let rowStride = panels * width
            for column in row..<panels {
              let place = sums + row * width * rowStride + column * width
              for i in 0..<width { (tile + i * width).update(from: place + i * rowStride, count: width) }
              ck_panel_product(
                kernels, block.base + row * Self.blockSize * width,
                block.base + column * Self.blockSize * width,
                here, tile)
              for i in 0..<width { (place + i * rowStride).update(from: tile + i * width, count: width) }
            }
          }
        }
      }
    }
  }

  /// Adds other sums, times a factor.
  func merge(_ other: MomentSums, times factor: Double) {
    for index in sums.indices { sums[index] += Float(Double(other.sums[index]) * factor) }
  }

  /// The whole matrix, `[count, count]`, times a factor.
  func matrix(times factor: Double) -> [Float] {
    let stride = panels * width
    return [Float](unsafeUninitializedCapacity: count * count) { out, used in
      for row in 0..<count {
        for column in 0..<count {
          let sum = row / width <= column / width ? sums[row * stride + column] : sums[column * stride + row]
          out.initializeElement(at: row * count + column, to: Float(Double(sum) * factor))
        }
      }
      used = count * count
    }
  }
}
