import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Runtime

/// Winograd's algorithm on blocks of large kernels against the plain executor, and where it is used.
@Suite struct NestedWinogradTests {
  private func graph(
    _ inputs: Int, _ outputs: Int, kernel: Int, mode: PaddingMode = .reflect, hasBias: Bool = true,
    stride: Int = 1, dilation: Int = 1, groups: Int = 1, _ random: inout SeededRandom
  ) -> Graph {
    var graph = Graph(channels: inputs, contract: PixelPreset.unit.contract)
    let weight = graph.addConstant("w", random.tensor([outputs, inputs / groups, kernel, kernel]))
    let bias = hasBias ? graph.addConstant("b", random.tensor([outputs])) : nil
    graph.append(
      .convolution(
        Convolution(
          input: graph.output, weight: weight, bias: bias, stride: Pair(stride, stride),
          padding: Insets(all: kernel / 2 * dilation), paddingMode: mode,
          dilation: Pair(dilation, dilation), groups: groups)))
    return graph
  }

  private func usesIt(_ graph: Graph, _ height: Int, _ width: Int) throws -> Bool {
    try Plan(graph, size: PictureSize(width: width, height: height)).steps.contains {
      $0 is NestedWinogradStep
    }
  }

  @Test(
    arguments: [
      (3, 32, 9), (32, 3, 9), (8, 8, 7), (12, 20, 5), (1, 9, 9), (9, 1, 9), (16, 2, 5), (7, 24, 7),
    ],
    [(9, 9), (13, 31), (27, 100), (31, 14)])
  func agrees(
    shape: (inputs: Int, outputs: Int, kernel: Int), size: (height: Int, width: Int)
  ) throws {
    for mode in PaddingMode.allCases {
      var random = SeededRandom(seed: 40)
      let graph = graph(
        shape.inputs, shape.outputs, kernel: shape.kernel, mode: mode, hasBias: mode != .zero, &random)
      let input = randomMap(&random, channels: shape.inputs, height: size.height, width: size.width)
      try expectAgreement(graph, input, "\(shape) of \(size), \(mode)")
    }
  }

  /// Several jobs down and across, the last ones incomplete.
  @Test(arguments: [(3, 16, 9), (16, 3, 9)], [(50, 199), (100, 9), (76, 98)])
  func statisticsAgreeOverManySquares(
    shape: (inputs: Int, outputs: Int, kernel: Int), size: (height: Int, width: Int)
  ) throws {
    var random = SeededRandom(seed: 41)
    var graph = graph(shape.inputs, shape.outputs, kernel: shape.kernel, &random)
    graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
    #expect(try usesIt(graph, size.height, size.width))
    let input = randomMap(&random, channels: shape.inputs, height: size.height, width: size.width)
    try expectAgreement(graph, input, tolerance: 2e-5, "\(shape) of \(size)")
  }

  @Test func stagesAgree() throws {
    var random = SeededRandom(seed: 42)
    var graph = graph(16, 16, kernel: 5, &random)
    graph.append(.activation(Activation(input: graph.output, function: .leakyReLU(slope: 0.2))))
    graph.append(.binary(Binary(.add, graph.output, graph.input.value)))
    let plan = try Plan(graph, size: PictureSize(width: 101, height: 38))
    #expect(plan.steps.count == 1 && plan.steps[0] is NestedWinogradStep)
    let input = randomMap(&random, channels: 16, height: 38, width: 101)
    try expectAgreement(graph, input, "activation and sum")
  }

  @Test(arguments: InstructionSet.allCases)
  func constantChannelsStayConstant(_ set: InstructionSet) throws {
    for constant in [Float(0.1), 123456.789, -1e-7] {
      var random = SeededRandom(seed: 43)
      var graph = graph(3, 16, kernel: 9, &random)
      let beta = graph.addConstant("beta", random.tensor([16]))
      graph.append(.instanceNorm(InstanceNorm(input: graph.output, beta: beta, epsilon: 1e-12)))
      #expect(try usesIt(graph, 30, 41))
      let input = PlainExecutor.Map(
        channels: 3, height: 30, width: 41,
        values: [Double](repeating: Double(constant), count: 3 * 30 * 41))
      let actual = try runOnEngine(graph, input, instructionSet: set)
      let expected = graph.tensor(beta)?.floats() ?? []
      // No variance at all is left, so that nothing remains but beta.
      #expect(actual.indices.allSatisfy { actual[$0] == expected[$0 / (30 * 41)] }, "\(constant)")
    }
  }

  /// One bad pixel spoils what its taps reach, and beyond that no more than the squares that read it.
  @Test(arguments: [Double.nan, .infinity], InstructionSet.allCases)
  func badNumbersComeThrough(_ bad: Double, _ set: InstructionSet) throws {
    var random = SeededRandom(seed: 44)
    let graph = graph(8, 3, kernel: 9, mode: .zero, &random)
    var input = randomMap(&random, channels: 8, height: 40, width: 40)
    input.values[3 * 1600 + 18 * 40 + 19] = bad
    let actual = try runOnEngine(graph, input, instructionSet: set)
    for (index, value) in actual.enumerated() {
      let (row, column) = (index % 1600 / 40, index % 40)
      if (14...22).contains(row), (15...23).contains(column) { #expect(!value.isFinite) }
      if !(10..<27).contains(row) || !(11..<28).contains(column) { #expect(value.isFinite) }
    }
  }

  @Test func otherConvolutionsStayAsTheyAre() throws {
    var random = SeededRandom(seed: 45)
    #expect(try usesIt(graph(3, 32, kernel: 9, &random), 40, 40))
    #expect(try !usesIt(graph(3, 32, kernel: 9, stride: 2, &random), 40, 40))
    #expect(try !usesIt(graph(8, 8, kernel: 5, dilation: 2, &random), 40, 40))
    #expect(try !usesIt(graph(16, 16, kernel: 5, groups: 2, &random), 40, 40))
    #expect(try !usesIt(graph(8, 8, kernel: 3, &random), 40, 40))
    #expect(try !usesIt(graph(3, 3, kernel: 9, &random), 40, 40), "neither many outputs nor many inputs")
    #expect(try !usesIt(graph(8, 8, kernel: 5, &random), 4, 4), "more squares than the pixels are worth")
  }
}
