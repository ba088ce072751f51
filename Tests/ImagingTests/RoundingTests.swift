import Testing

@testable import Imaging

@Suite struct RoundingTests {
  @Test(
    arguments: [
      (Rounding.nearestEven, [0, 0, 0, 2, 2, 2, 3, 254, 255, 255, 255, 0, 0]),
      (.halfUp, [0, 0, 1, 2, 2, 3, 3, 255, 255, 255, 255, 0, 0]),
      (.truncate, [0, 0, 0, 1, 1, 2, 2, 254, 255, 255, 255, 0, 0]),
    ] as [(Rounding, [UInt8])])
  func clampsThenRounds(_ rounding: Rounding, _ expected: [UInt8]) {
    let samples: [Float] = [
      -7, 0.49999997, 0.5, 1.5, 1.75, 2.5, 2.75, 254.5, 255, 255.9, .infinity, -.infinity, .nan,
    ]
    #expect(samples.map(rounding.byte) == expected)
  }

  @Test func quantizesWholePictures() {
    let picture = Picture(width: 1, height: 2, samples: [0.5, 1.5, 300, -1, 128.5, 127.5])
    #expect(picture.quantizedTo8Bits(rounding: .nearestEven) == [0, 2, 255, 0, 128, 128])
    #expect(picture.quantizedTo8Bits(rounding: .truncate) == [0, 1, 255, 0, 128, 127])
  }
}
