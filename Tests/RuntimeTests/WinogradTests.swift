import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Runtime

/// Winograd's algorithm against the plain executor, and where it is used.
@Suite struct WinogradTests {
  private func graph(
    _ inputs: Int, _ outputs: Int, mode: PaddingMode = .reflect, doubled: Bool = false, hasBias: Bool = true,
    stride: Int = 1, dilation: Int = 1, groups: Int = 1, kernel: Int = 3, _ random: inout SeededRandom
  ) -> Graph {
    var graph = Graph(channels: inputs, contract: PixelPreset.unit.contract)
    if doubled { graph.append(.upsample(Upsample(input: graph.output, factor: Pair(2, 2)))) }
    let weight = graph.addConstant("w", random.tensor([outputs, inputs / groups, kernel, kernel]))
    let bias = hasBias ? graph.addConstant("b", random.tensor([outputs])) : nil
    graph.append(
      .convolution(
        Convolution(
          input: graph.output, weight: weight, bias: bias, stride: Pair(stride, stride),
          padding: Insets(all: kernel / 2 * dilation), paddingMode: mode, dilation: Pair(dilation, dilation),
          groups: groups)))
    return graph
  }

  private func usesWinograd(_ graph: Graph, _ height: Int, _ width: Int) throws -> Bool {
    try Plan(graph, size: PictureSize(width: width, height: height)).steps.contains { $0 is WinogradStep }
  }

  @Test(
    arguments: [(8, 8), (8, 9), (9, 8), (12, 20), (16, 16), (17, 33), (24, 40), (64, 24)],
    [(4, 4), (5, 7), (4, 33), (12, 3), (13, 18), (31, 8)])
  func agrees(channels: (inputs: Int, outputs: Int), size: (height: Int, width: Int)) throws {
    for mode in PaddingMode.allCases {
      var random = SeededRandom(seed: 30)
      let graph = graph(channels.inputs, channels.outputs, mode: mode, hasBias: mode != .zero, &random)
      let input = randomMap(&random, channels: channels.inputs, height: size.height, width: size.width)
      try expectAgreement(graph, input, "\(channels) of \(size), \(mode)")
    }
  }

  @Test(arguments: [(8, 8), (16, 24), (9, 17)], [(4, 5), (5, 10), (11, 7), (20, 26)])
  func agreesBehindADoubling(
    channels: (inputs: Int, outputs: Int), size: (height: Int, width: Int)
  ) throws {
    for mode in PaddingMode.allCases {
      var random = SeededRandom(seed: 31)
      let graph = graph(channels.inputs, channels.outputs, mode: mode, doubled: true, &random)
      let input = randomMap(&random, channels: channels.inputs, height: size.height, width: size.width)
      try expectAgreement(graph, input, "\(channels) of \(size) doubled, \(mode)")
    }
  }

  /// Several batches a row, rows of tiles that batches end in the middle of, several batches a job.
  @Test(arguments: [(8, (9, 301)), (24, (70, 30)), (8, (301, 5)), (40, (41, 62)), (8, (1010, 402))])
  func statisticsAgreeOverManyTiles(channels: Int, size: (height: Int, width: Int)) throws {
    var random = SeededRandom(seed: 32)
    var graph = graph(channels, 8, &random)
    graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
    #expect(try usesWinograd(graph, size.height, size.width))
    let input = randomMap(&random, channels: channels, height: size.height, width: size.width)
    try expectAgreement(graph, input, tolerance: 2e-5, "\(channels) channels of \(size)")
  }

  /// Stages are applied to what a batch has written, in rows that end where its tiles do.
  @Test func stagesAgree() throws {
    var random = SeededRandom(seed: 33)
    var graph = graph(16, 16, &random)
    graph.append(.activation(Activation(input: graph.output, function: .leakyReLU(slope: 0.2))))
    graph.append(.binary(Binary(.add, graph.output, graph.input.value)))
    let plan = try Plan(graph, size: PictureSize(width: 43, height: 38))
    #expect(plan.steps.count == 1 && plan.steps[0] is WinogradStep)
    let input = randomMap(&random, channels: 16, height: 38, width: 43)
    try expectAgreement(graph, input, "activation and sum")
  }

  @Test(arguments: InstructionSet.allCases)
  func constantChannelsStayConstant(_ set: InstructionSet) throws {
    for constant in [Float(0.1), 123456.789, -1e-7] {
      var random = SeededRandom(seed: 34)
      var graph = graph(16, 16, &random)
      let beta = graph.addConstant("beta", random.tensor([16]))
      graph.append(.instanceNorm(InstanceNorm(input: graph.output, beta: beta, epsilon: 1e-12)))
      #expect(try usesWinograd(graph, 30, 41))
      let input = PlainExecutor.Map(
        channels: 16, height: 30, width: 41,
        values: [Double](repeating: Double(constant), count: 16 * 30 * 41))
      let actual = try runOnEngine(graph, input, instructionSet: set)
      let expected = graph.tensor(beta)?.floats() ?? []
      // No variance at all is left, so that nothing remains but beta.
      #expect(actual.indices.allSatisfy { actual[$0] == expected[$0 / (30 * 41)] }, "\(constant)")
    }
  }

  /// One bad pixel spoils what its taps reach, and beyond that no more than the tiles that read it.
  @Test(arguments: [Double.nan, .infinity], InstructionSet.allCases)
  func badNumbersComeThrough(_ bad: Double, _ set: InstructionSet) throws {
    var random = SeededRandom(seed: 35)
    let graph = graph(8, 8, mode: .zero, &random)
    var input = randomMap(&random, channels: 8, height: 30, width: 30)
    input.values[3 * 900 + 13 * 30 + 14] = bad
    let actual = try runOnEngine(graph, input, instructionSet: set)
    for (index, value) in actual.enumerated() {
      let (row, column) = (index % 900 / 30, index % 30)
      if (12...14).contains(row), (13...15).contains(column) { #expect(!value.isFinite) }
      if !(8..<20).contains(row) || !(8..<20).contains(column) { #expect(value.isFinite) }
    }
  }

  @Test func otherConvolutionsStayDirect() throws {
    var random = SeededRandom(seed: 36)
    #expect(try usesWinograd(graph(8, 8, &random), 20, 20))
    #expect(try usesWinograd(graph(8, 8, doubled: true, &random), 20, 20))
    #expect(try !usesWinograd(graph(8, 8, stride: 2, &random), 20, 20))
    #expect(try !usesWinograd(graph(8, 8, dilation: 2, &random), 20, 20))
    #expect(try !usesWinograd(graph(16, 16, groups: 2, &random), 20, 20))
    #expect(try !usesWinograd(graph(8, 8, kernel: 5, &random), 20, 20))
    #expect(try !usesWinograd(graph(3, 8, &random), 20, 20))
    #expect(try !usesWinograd(graph(8, 3, &random), 20, 20))
    #expect(try !usesWinograd(graph(8, 8, &random), 5, 5), "more tiles than the pixels are worth")
  }

  @Test func tilesCoverEveryPixelOnce() {
    var random = SeededRandom(seed: 37)
    for _ in 0..<200 {
      let tiling = WinogradTiling(
        size: Bool.random(using: &random) ? 4 : 5, rows: Int.random(in: 1...40, using: &random),
        columns: Int.random(in: 1...40, using: &random))
      let length = Int.random(in: 1...30, using: &random)
      var times = [Int](repeating: 0, count: tiling.rows * tiling.columns)
      for first in stride(from: 0, to: tiling.count, by: length) {
        for area in tiling.areas(of: first..<min(first + length, tiling.count)) {
          for row in area.rows {
            for column in area.columns { times[row * tiling.columns + column] += 1 }
          }
        }
      }
      #expect(times.allSatisfy { $0 == 1 }, "\(tiling) by \(length)")
    }
  }

  @Test func linesAreWhatTapsMoveAlong() {
    func table(_ line: [Int32], outputs: Int, stride: Int = 1, dilation: Int = 1) -> TapTable {
      TapTable.convolution(
        reading: line, outputs: outputs, taps: 3, stride: stride, dilation: dilation, repeats: 1)[0]
    }
    let reflected: [Int32] = [1, 0, 1, 2, 3, 2]
    #expect(table(reflected, outputs: 4).line == reflected)
    #expect(table([-1, 0, -1], outputs: 1).line == [-1, 0, -1])
    #expect(table([0, 1, 2, 3, 4], outputs: 2, stride: 2).line == nil)
    #expect(table([0, 1, 2, 3, 4, 5], outputs: 2, dilation: 2).line == nil)
  }
}
