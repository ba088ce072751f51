import TestSupport
import Testing

@testable import Quantization

@Suite struct WeightedMeansTests {
  @Test func findsClustersThatAreThere() {
    let numbers = [-3, -1, 0.5, 2].flatMap { centre in
      [-0.01, 0, 0.01].map { (value: Float(centre + $0), weight: 1.0) }
    }
    for (mean, expected) in zip(weightedMeans(numbers, count: 4), [-3, -1, 0.5, 2]) {
      #expect((Double(mean) - expected).magnitude < 1e-6)
    }
  }

  /// No cluster's mean may be moved for the better: each is the weighted mean of the numbers nearest to it.
  @Test(arguments: [2, 16, 256]) func meansAreThoseOfTheirClusters(_ count: Int) {
    var random = SeededRandom(seed: 5)
    let numbers = random.floats(3000).map {
      (value: $0 * $0 * $0, weight: Double.random(in: 0.1...9, using: &random))
    }
    let means = weightedMeans(numbers, count: count)
    #expect(means == means.sorted())
    var sums = [(weight: Double, moment: Double)](repeating: (0, 0), count: count)
    for item in numbers {
      let cluster =
        means.indices.min { (means[$0] - item.value).magnitude < (means[$1] - item.value).magnitude } ?? 0
      sums[cluster].weight += item.weight
      sums[cluster].moment += item.weight * Double(item.value)
    }
    for (mean, sum) in zip(means, sums) where sum.weight > 0 {
      #expect((Double(mean) - sum.moment / sum.weight).magnitude < 2e-3)
    }
  }

  @Test func takesFewOrNoNumbers() {
    #expect(weightedMeans([], count: 2) == [0, 0])
    #expect(weightedMeans([(3, 1), (3, 2)], count: 4) == [3, 3, 3, 3])
  }
}
