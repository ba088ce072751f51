import Diagnostics
import Runtime
import Testing

@testable import Calibration

@Suite struct TriangularFactorTests {
  @Test(arguments: [1, 7, 8, 9, 40, 131]) func factorsGiveTheMatrixBack(_ count: Int) throws {
    let layer = SampleLayer(rows: 1, inputs: count, seed: UInt64(count))
    let moments = layer.statistics.layers[0].groups[0].inputs
    let factor = try TriangularFactor(moments, count: count, damping: 0.02, workers: Workers(count: 2))
    let added = 0.02 * (0..<count).reduce(0) { $0 + Double(moments[$1 * count + $1]) } / Double(count)
    #expect(factor.order.sorted() == Array(0..<count))
    let diagonal = factor.order.map { moments[$0 * count + $0] }
    #expect(diagonal == diagonal.sorted(by: >))
    func root(_ row: Int, _ column: Int) -> Double {
      let energy = Double(factor.energies[column]).squareRoot()
      return row == column ? energy : row < column ? Double(factor.feed(from: row, to: column)) * energy : 0
    }
    let scale = Double(diagonal[0])
    for row in 0..<count {
      for column in row..<count {
        let product = (column..<count).reduce(0) { $0 + root(row, $1) * root(column, $1) }
        let expected =
          Double(moments[factor.order[row] * count + factor.order[column]]) + (row == column ? added : 0)
        #expect((product - expected).magnitude < 1e-5 * scale, "\(row), \(column)")
      }
    }
    let again = try TriangularFactor(moments, count: count, damping: 0.02, workers: Workers(count: 5))
    #expect(again.energies == factor.energies)
  }

  @Test func layerThatNothingReachesCountsEvenly() throws {
    let factor = try TriangularFactor(
      [Float](repeating: 0, count: 9), count: 3, damping: 0.1, workers: Workers(count: 1))
    #expect(factor.energies == [1, 1, 1])
    #expect(factor.feed(from: 0, to: 2) == 0)
  }

  @Test func refusesWhatIsNotFinite() {
    #expect(throws: StyleModelError.self) {
      try TriangularFactor([1, 0, 0, .nan], count: 2, damping: 0.1, workers: Workers(count: 1))
    }
  }
}
