import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Runtime

/// Live and stored norms where they are delicate: means far larger than deviations, channels without any, gradients,
/// single pixels.
@Suite struct NormalizationTests {
  /// What a channel holds.
  enum Content: CaseIterable {
    case noise, noiseOnLargeMean, noiseOnHugeMean, constant, largeConstant, gradient, faintGradient,
      oneOutlier

    func value(_ index: Int, of count: Int, _ random: inout SeededRandom) -> Float {
      switch self {
      case .noise: Float.random(in: -1...1, using: &random)
      case .noiseOnLargeMean: 1e4 + Float.random(in: -1...1, using: &random)
      case .noiseOnHugeMean: -1e7 + Float(Int.random(in: 0...3, using: &random))
      case .constant: 0.1
      case .largeConstant: 123456.789
      case .gradient: 255 * Float(index) / Float(count)
      case .faintGradient: 1000 + 0.01 * Float(index) / Float(count)
      case .oneOutlier: index == count / 2 ? 1e6 : 1
      }
    }
  }

  private func map(
    _ content: Content, channels: Int, height: Int, width: Int, _ random: inout SeededRandom
  ) -> PlainExecutor.Map {
    let count = height * width
    return PlainExecutor.Map(
      channels: channels, height: height, width: width,
      values: (0..<channels * count).map { Double(content.value($0 % count, of: count, &random)) })
  }

  @Test(arguments: Content.allCases, [1, 3, 8, 17])
  func liveNormAgrees(_ content: Content, channels: Int) throws {
    for (height, width) in [(1, 1), (1, 5), (9, 11), (40, 61)] {
      var random = SeededRandom(seed: 5)
      var graph = Graph(channels: channels, contract: PixelPreset.unit.contract)
      let gamma = graph.addConstant("g", random.tensor([channels], in: 0.5...2))
      let beta = graph.addConstant("b", random.tensor([channels]))
      graph.append(.instanceNorm(InstanceNorm(input: graph.output, gamma: gamma, beta: beta)))
      let input = map(content, channels: channels, height: height, width: width, &random)
      try expectAgreement(
        graph, input, tolerance: 1e-6, "\(content), \(channels) channels of \(height)x\(width)")
    }
  }

  @Test(arguments: [Content.constant, .largeConstant])
  func constantChannelsBecomeBeta(_ content: Content) throws {
    var random = SeededRandom(seed: 6)
    var graph = Graph(channels: 9, contract: PixelPreset.unit.contract)
    let beta = graph.addConstant("b", random.tensor([9]))
    graph.append(.instanceNorm(InstanceNorm(input: graph.output, beta: beta, epsilon: 1e-12)))
    // Through a convolution as well, whose statistics are taken tile by tile.
    let input = map(content, channels: 9, height: 300, width: 20, &random)
    let expected = graph.tensor(beta)?.floats() ?? []
    for set in InstructionSet.allCases {
      let actual = try runOnEngine(graph, input, instructionSet: set)
      // The tile's mean is that of its first pixel exactly, so nothing is left but beta.
      #expect(actual.indices.allSatisfy { actual[$0] == expected[$0 / 6000] }, "\(content) \(set)")
    }
  }

  /// The norm after a convolution, with activation and residual sum behind it, as style networks have it.
  @Test(arguments: Content.allCases)
  func residualBlockAgrees(_ content: Content) throws {
    // Single-precision sums of products cannot hold that contrast.
    guard content != .noiseOnHugeMean else { return }
    var random = SeededRandom(seed: 7)
    var graph = Graph(channels: 8, contract: PixelPreset.unit.contract)
    let first = graph.addConstant("w1", random.tensor([8, 8, 3, 3]))
    let second = graph.addConstant("w2", random.tensor([8, 8, 3, 3]))
    func block(_ weight: ValueID) {
      graph.append(
        .convolution(
          Convolution(input: graph.output, weight: weight, padding: Insets(all: 1), paddingMode: .reflect)))
    }
    // The contrast that is left must be far above the rounding of the convolution's sums.
    graph.append(.instanceNorm(InstanceNorm(input: graph.output, epsilon: 1e-3)))
    let skip = graph.output
    block(first)
    graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
    graph.append(.activation(Activation(input: graph.output, function: .relu)))
    block(second)
    graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
    graph.append(.binary(Binary(.add, graph.output, skip)))
    let input = map(content, channels: 8, height: 21, width: 34, &random)
    guard content != .constant, content != .largeConstant else {
      // All zeros behind the first norm, and so to the end.
      #expect(try runOnEngine(graph, input).allSatisfy { $0 == 0 })
      return
    }
    try expectAgreement(graph, input, tolerance: 2e-5, "\(content)")
  }

  /// A convolution's output whose mean is ten thousand times its deviation.
  @Test func statisticsOfAConvolutionKeepTheirDigits() throws {
    var random = SeededRandom(seed: 8)
    var graph = Graph(channels: 1, contract: PixelPreset.unit.contract)
    let weight = graph.addConstant(
      "w", StoredTensor(shape: [8, 1, 1, 1], floats: [Float](repeating: 1, count: 8)))
    let bias = graph.addConstant("b", StoredTensor(shape: [8], floats: [Float](repeating: 8192, count: 8)))
    graph.append(.convolution(Convolution(input: graph.output, weight: weight, bias: bias)))
    graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
    // Multiples of 2⁻⁸, so that the sum with the bias is exact.
    let values = (0..<300 * 40).map { _ in Double(Int.random(in: -256...256, using: &random)) / 256 }
    let input = PlainExecutor.Map(channels: 1, height: 300, width: 40, values: values)
    try expectAgreement(graph, input, tolerance: 1e-6, "mean 8192, deviation 0.6")
  }

  @Test(arguments: [1, 3, 8, 13])
  func storedNormAgrees(channels: Int) throws {
    for isBehindConvolution in [false, true] {
      var random = SeededRandom(seed: 9)
      var graph = Graph(channels: channels, contract: PixelPreset.unit.contract)
      if isBehindConvolution {
        let weight = graph.addConstant("w", random.tensor([channels, channels, 3, 3]))
        graph.append(.convolution(Convolution(input: graph.output, weight: weight, padding: Insets(all: 1))))
      }
      graph.append(
        .batchNorm(
          BatchNorm(
            input: graph.output, mean: graph.addConstant("m", random.tensor([channels], in: -500...500)),
            variance: graph.addConstant("v", random.tensor([channels], in: 0...1000)),
            gamma: graph.addConstant("g", random.tensor([channels])), epsilon: 1e-3)))
      let input = randomMap(&random, channels: channels, height: 9, width: 14, in: -300...300)
      try expectAgreement(graph, input, "\(channels) channels, convolution \(isBehindConvolution)")
    }
  }
}
