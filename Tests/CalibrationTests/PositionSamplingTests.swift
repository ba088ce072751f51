import Testing

@testable import Calibration

@Suite struct PositionSamplingTests {
  @Test func drawsInProportion() {
    let weights = [0, 1, 0, 3, 2, 0, 0, 2.0]
    let (positions, share) = drawPositions(weights, count: 800)
    let counts = positions.reduce(into: [Int](repeating: 0, count: 8)) { $0[$1] += 1 }
    #expect(counts == [0, 100, 0, 300, 200, 0, 0, 200])
    #expect(share == 0.01)
    #expect(positions == positions.sorted())
  }

  @Test func drawsEachOnceWhereAllAreAlike() {
    #expect(drawPositions([Double](repeating: 0.1, count: 77), count: 77).positions == Array(0..<77))
  }

  @Test(arguments: [[], [0, 0], [.infinity, 1], [.nan]]) func drawsNothingFromNothing(_ weights: [Double]) {
    #expect(drawPositions(weights, count: 5).positions.isEmpty)
  }
}
