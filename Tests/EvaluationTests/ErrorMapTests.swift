import Imaging
import Testing

@testable import Evaluation

@Suite struct ErrorMapTests {
  private func picture(_ samples: [Float]) -> Picture {
    Picture(width: samples.count / 3, height: 1, samples: samples)
  }

  @Test func takesTheWorstChannelAfterClamping() {
    let map = ErrorMap(
      picture([10, 20, 30, -50, 100, 300, 5, 5, 5]), picture([11, 17, 30, 0, 100, 255, 5, 5, 5]))
    #expect(map.levels == [3, 0, 0])
    #expect(map.greatest == 3)
    #expect(map.share(above: 2) == 1.0 / 3 && map.share(above: 3) == 0)
  }

  @Test func theScaleIsFixedAndClipped() {
    let map = ErrorMap(
      picture([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), picture([0, 0, 0, 8, 0, 0, 16, 0, 0, 200, 0, 0]))
    let drawn = map.drawn().samples
    #expect(Array(drawn[0..<3]) == [0, 0, 4])
    #expect(Array(drawn[6..<9]) == [0xFC, 0xFF, 0xA4])
    #expect(Array(drawn[9..<12]) == [0xFC, 0xFF, 0xA4])
    // Half way between the fifth and the sixth of ten stops, 0xA52C60 and 0xCF4446.
    #expect(Array(drawn[3..<6]) == [186, 56, 83])
  }

  /// The map must read without its colours.
  @Test func lightnessRisesAllTheWay() {
    let lightness = (0...256).map { step in
      let colour = ErrorColours.colour(at: Float(step) / 256)
      return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue
    }
    for (darker, lighter) in zip(lightness, lightness.dropFirst()) { #expect(lighter > darker) }
  }

  @Test func shrinkingAveragesNoErrorAway() {
    var samples = [Float](repeating: 0, count: 9 * 6 * 3)
    samples[(5 * 9 + 8) * 3] = 40
    samples[0] = 7
    let map = ErrorMap(
      Picture(width: 9, height: 6, samples: samples),
      Picture(width: 9, height: 6, samples: [Float](repeating: 0, count: 9 * 6 * 3)))
    let small = map.shrunk(width: 4, height: 2)
    #expect(small.width == 4 && small.height == 2)
    #expect(small.levels == [7, 0, 0, 0, 0, 0, 0, 40])
  }
}
