import Runtime
import TestSupport
import Testing

@testable import Calibration

@Suite struct MomentSumsTests {
  /// Whole panels and odd ends, more than one block, and merged halves.
  @Test(arguments: [(1, 5), (16, 256), (19, 300), (50, 777)]) func sumsProducts(_ count: Int, _ vectors: Int)
    throws
  {
    var random = SeededRandom(seed: UInt64(count))
    let values = random.floats(count * vectors)
    func sums(_ range: Range<Int>, threads: Int) throws -> MomentSums {
      let sums = try MomentSums(count: count)
      sums.add(range.count, Workers(count: threads)) { vector, target in
        for index in 0..<count { target[index] = values[(range.lowerBound + vector) * count + index] }
      }
      return sums
    }
    let whole = try sums(0..<vectors, threads: 1)
    let matrix = whole.matrix(times: 2)
    for row in 0..<count {
      for column in 0..<count {
        let expected = (0..<vectors).reduce(0.0) {
          $0 + 2 * Double(values[$1 * count + row]) * Double(values[$1 * count + column])
        }
        #expect((Double(matrix[row * count + column]) - expected).magnitude < 1e-4 * Double(vectors))
      }
    }
    #expect(try sums(0..<vectors, threads: 3).matrix(times: 2) == matrix)

    let merged = try sums(0..<vectors / 2, threads: 1)
    merged.merge(try sums(vectors / 2..<vectors, threads: 2), times: 1)
    for (value, expected) in zip(merged.matrix(times: 2), matrix) {
      #expect((value - expected).magnitude < 1e-4 * Float(vectors))
    }
  }
}
