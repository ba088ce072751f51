import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Passes

@Suite struct FreezeNormsTests {
  private let tensors = weights(["w": [3, 3, 3, 3], "b": [3], "g.weight": [3], "g.bias": [3]])
  private let text = """
    %a = conv(%x, weight: @"w", bias: @"b", padding: [1, 1, 1, 1])
    %y = instance_norm(%a, gamma: @"g.weight", beta: @"g.bias", epsilon: 1e-05)
    """

  /// The mean and variance of each channel of a map.
  private func statistics(_ map: PlainExecutor.Map) -> FreezeNorms.Statistics {
    let area = map.width * map.height
    let means = (0..<3).map { map.values[($0 * area)..<(($0 + 1) * area)].reduce(0, +) / Double(area) }
    let variances = (0..<3).map { channel in
      map.values[(channel * area)..<((channel + 1) * area)].reduce(0) {
        $0 + ($1 - means[channel]) * ($1 - means[channel])
      }
        / Double(area)
    }
    return FreezeNorms.Statistics(means: means, variances: variances)
  }

  private var picture: PlainExecutor.Map {
    var random = SeededRandom(seed: 4)
    return PlainExecutor.Map(
      channels: 3, height: 6, width: 9, values: random.floats(162, in: -2...2).map(Double.init))
  }

  /// On the very picture that was measured, the frozen and folded network is the live one.
  @Test func frozenAtItsOwnStatisticsNothingChanges() throws {
    let graph = try Graph(text: wrapped(text), constants: tensors)
    var before = graph
    before.output = graph.nodes[0].result
    let pass = FreezeNorms([graph.nodes[0].result: statistics(try PlainExecutor(before).run(picture))])
    let (frozen, notes) = try optimized(graph, by: [pass] + standardPasses)
    #expect(frozen.nodes.map(\.operation.mnemonic) == ["conv"])
    #expect(notes.first?.text.hasPrefix("live statistics frozen") == true)
    let expected = try PlainExecutor(graph).run(picture).values
    let found = try PlainExecutor(frozen).run(picture).values
    #expect(zip(expected, found).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test func writesStoredStatistics() throws {
    let graph = try Graph(text: wrapped(text), constants: tensors)
    try FreezeNorms([graph.nodes[0].result: .init(means: [1, 2, 3], variances: [4, 5, 6])]).expect(
      given: text,
      result: """
        %a = conv(%x, weight: @"w", bias: @"b", padding: [1, 1, 1, 1])
        %y = batch_norm(%a, mean: @"g.mean", variance: @"g.variance", gamma: @"g.weight", beta: @"g.bias", epsilon: 1e-05)
        """, tensors)
  }

  @Test(arguments: [nil, FreezeNorms.Statistics(means: [1, .nan, 0], variances: [1, 1, 1])])
  func whatWasNotMeasuredStaysLive(measured: FreezeNorms.Statistics?) throws {
    let graph = try Graph(text: wrapped(text), constants: tensors)
    try FreezeNorms(measured.map { [graph.nodes[0].result: $0] } ?? [:]).expectLeftAlone(
      text, tensors, subject: "g.weight", reason: "live statistics stay")
  }
}
