/// Along one axis: which input index each kernel tap reads for each output index, for every `step`-th output from
/// `first` on. A transposed convolution has one such table for each phase of its stride.
struct TapTable {
  /// The first output index.
  let first: Int
  /// The distance to the next one.
  let step: Int
  /// The kernel taps that are summed into each tap of the table.
  let taps: [[Int]]
  /// `[outputs][taps]`: input indices, or -1 for zeros.
  let indices: [Int32]
  /// The number of output indices.
  let outputs: Int

  /// The tables of a convolution that reads `line`, a view's rows or columns.
  ///
  /// Where the view repeats each pixel `repeats` times, some taps of an output always read the same pixel; which
  /// ones depends only on the output's place in the period. Then each place gets a table of its own, with such
  /// taps made one: of a 3×3 convolution after a doubling four 2×2 convolutions remain.
  static func convolution(
    reading line: [Int32], outputs: Int, taps: Int, stride: Int, dilation: Int, repeats: Int
  ) -> [TapTable] {
    func phase(_ first: Int, _ step: Int) -> TapTable {
      let count = (outputs - first + step - 1) / step
      func index(_ output: Int, _ tap: Int) -> Int32 {
        line[(first + output * step) * stride + tap * dilation]
      }
      var groups: [[Int]] = []
      for tap in 0..<taps {
        if step > 1, tap > 0, (0..<count).allSatisfy({ index($0, tap) == index($0, tap - 1) }) {
          groups[groups.count - 1].append(tap)
        } else {
          groups.append([tap])
        }
      }
      let indices = (0..<count).flatMap { output in groups.map { index(output, $0[0]) } }
      return TapTable(first: first, step: step, taps: groups, indices: indices, outputs: count)
    }
    let whole = phase(0, 1)
    guard repeats > 1, outputs >= repeats else { return [whole] }
    let phases = (0..<repeats).map { phase($0, repeats) }
    return phases.allSatisfy { $0.taps.count < taps } ? phases : [whole]
  }

  /// The tables of a transposed convolution: output `o` is reached from input `i` by tap `k` where
  /// `o = i * stride - padding + k * dilation`.
  static func transposed(
    reading line: [Int32], outputs: Int, taps: Int, stride: Int, dilation: Int, padding: Int
  ) -> [TapTable] {
    (0..<min(stride, outputs)).map { first in
      let used = (0..<taps).filter { (first + padding - $0 * dilation) % stride == 0 }
      let count = (outputs - first + stride - 1) / stride
      let indices = (0..<count).flatMap { output in
        used.map { tap -> Int32 in
          let index = (first + output * stride + padding - tap * dilation) / stride
          return line.indices.contains(index) ? line[index] : -1
        }
      }
      return TapTable(first: first, step: stride, taps: used.map { [$0] }, indices: indices, outputs: count)
    }
  }
}
