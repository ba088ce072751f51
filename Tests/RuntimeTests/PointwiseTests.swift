import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Runtime

/// Activations and combinations, alone and as stages of what computes their input.
@Suite struct PointwiseTests {
  static let functions: [Activation.Function] = [
    .relu, .leakyReLU(slope: 0.2), .leakyReLU(slope: -1), .clamp(lower: 0, upper: 6),
    .clamp(lower: -0.5, upper: -0.25),
    .sigmoid, .tanh, .linear(scale: -3, bias: 0.5), .linear(scale: 150, bias: 0),
  ]

  @Test(arguments: functions, [1, 3, 5, 8, 20])
  func activationAgrees(_ function: Activation.Function, channels: Int) throws {
    for (height, width) in [(1, 1), (1, 3), (5, 7), (33, 40)] {
      var random = SeededRandom(seed: 10)
      var graph = Graph(channels: channels, contract: PixelPreset.unit.contract)
      graph.append(.activation(Activation(input: graph.output, function: function)))
      let input = randomMap(&random, channels: channels, height: height, width: width, in: -9...9)
      try expectAgreement(
        graph, input, tolerance: 3e-7, "\(function), \(channels) channels of \(height)x\(width)")
    }
  }

  /// Small, large and special arguments; relative to each result, not to the largest.
  @Test(arguments: functions, InstructionSet.allCases)
  func activationKeepsDigits(_ function: Activation.Function, _ set: InstructionSet) throws {
    var graph = Graph(channels: 1, contract: PixelPreset.unit.contract)
    graph.append(.activation(Activation(input: graph.output, function: function)))
    let magnitudes: [Float] = [
      0, 1e-30, 1e-6, 0.01, 0.3, 0.6249, 0.6251, 1, 4, 17, 80, 87, 88.4, 104, 1e6, 3e38,
    ]
    let values = (magnitudes + magnitudes.map { -$0 }).map(Double.init)
    let input = PlainExecutor.Map(channels: 1, height: 1, width: values.count, values: values)
    let expected = try PlainExecutor(graph).run(input).values
    for (index, value) in try runOnEngine(graph, input, instructionSet: set).enumerated() {
      let wanted = Float(expected[index])
      guard wanted.isFinite else { continue }
      // Where the result is too small for a normal number, any such will do, but not of another sign.
      let smallest = Float.leastNormalMagnitude
      if wanted.magnitude < smallest, value.magnitude < smallest, value * wanted >= 0 { continue }
      let error = (value - wanted).magnitude / wanted.magnitude
      #expect(error <= 4e-7, "\(function)(\(values[index])) is \(value), not \(wanted)")
    }
  }

  @Test(arguments: functions, InstructionSet.allCases)
  func notANumberComesThrough(_ function: Activation.Function, _ set: InstructionSet) throws {
    for position in [0, 7, 8, 10] {
      var graph = Graph(channels: 1, contract: PixelPreset.unit.contract)
      graph.append(.activation(Activation(input: graph.output, function: function)))
      var values = [Double](repeating: 0.5, count: 11)
      values[position] = .nan
      let input = PlainExecutor.Map(channels: 1, height: 1, width: 11, values: values)
      let actual = try runOnEngine(graph, input, instructionSet: set)
      #expect(
        actual.indices.allSatisfy { actual[$0].isNaN == ($0 == position) }, "\(function) at \(position)")
    }
  }

  @Test(arguments: InstructionSet.allCases)
  func notANumberComesThroughConvolutionAndNorm(_ set: InstructionSet) throws {
    var random = SeededRandom(seed: 11)
    var graph = Graph(channels: 8, contract: PixelPreset.unit.contract)
    let weight = graph.addConstant("w", random.tensor([8, 8, 3, 3]))
    graph.append(.convolution(Convolution(input: graph.output, weight: weight, padding: Insets(all: 1))))
    graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
    graph.append(.activation(Activation(input: graph.output, function: .relu)))
    for bad in [Double.nan, .infinity] {
      var input = randomMap(&random, channels: 8, height: 5, width: 6)
      input.values[40] = bad
      #expect(try runOnEngine(graph, input, instructionSet: set).allSatisfy(\.isNaN))
    }
  }

  @Test(arguments: Binary.Function.allCases, [1, 3, 8, 19])
  func combinationAgrees(_ function: Binary.Function, channels: Int) throws {
    /// Both operands: which of them is computed last, and how.
    enum Form: CaseIterable {
      case same, leftLast, rightLast, earlier, padded, throughConvolution, throughTransposed
    }
    for form in Form.allCases {
      var random = SeededRandom(seed: 12)
      var graph = Graph(channels: channels, contract: PixelPreset.unit.contract)
      let input = graph.output
      func tanh(_ value: ValueID) -> ValueID {
        graph.append(.activation(Activation(input: value, function: .tanh)))
      }
      switch form {
      case .same: graph.append(.binary(Binary(function, tanh(input), graph.output)))
      case .leftLast: graph.append(.binary(Binary(function, tanh(input), input)))
      case .rightLast: graph.append(.binary(Binary(function, input, tanh(input))))
      case .earlier:
        let early = tanh(input)
        let late = tanh(early)
        let last = graph.append(.binary(Binary(.multiply, late, late)))
        graph.append(.binary(Binary(function, graph.append(.binary(Binary(function, early, late))), last)))
      case .padded:
        let padded = graph.append(.pad(Pad(input: input, amounts: Insets(all: 1), mode: .reflect)))
        let other = graph.append(.pad(Pad(input: tanh(input), amounts: Insets(all: 1), mode: .zero)))
        graph.append(.binary(Binary(function, padded, other)))
      case .throughConvolution:
        let weight = graph.addConstant("w", random.tensor([channels, channels, 3, 3]))
        let other = tanh(input)
        graph.append(.convolution(Convolution(input: input, weight: weight, padding: Insets(all: 1))))
        graph.append(.binary(Binary(function, other, graph.output)))
        graph.append(.activation(Activation(input: graph.output, function: .leakyReLU(slope: 0.5))))
      case .throughTransposed:
        let weight = graph.addConstant("w", random.tensor([channels, channels, 2, 2]))
        graph.append(
          .transposedConvolution(TransposedConvolution(input: input, weight: weight, stride: Pair(2, 2))))
        graph.append(.activation(Activation(input: graph.output, function: .relu)))
        let enlarged = graph.append(
          .upsample(Upsample(input: input, factor: Pair(2, 2), mode: .bilinear)))
        graph.append(.binary(Binary(function, enlarged, graph.nodes[1].result)))
      }
      let map = randomMap(&random, channels: channels, height: 6, width: 9)
      try expectAgreement(graph, map, "\(function) \(form), \(channels) channels")
    }
  }

  @Test(arguments: [Pair(2, 2), Pair(3, 1), Pair(1, 4)], [1, 3, 8, 11])
  func bilinearEnlargementAgrees(factor: Pair, channels: Int) throws {
    for (height, width) in [(1, 1), (1, 6), (5, 1), (7, 8)] {
      var random = SeededRandom(seed: 13)
      var graph = Graph(channels: channels, contract: PixelPreset.unit.contract)
      graph.append(.upsample(Upsample(input: graph.output, factor: factor, mode: .bilinear)))
      graph.append(.activation(Activation(input: graph.output, function: .relu)))
      let input = randomMap(&random, channels: channels, height: height, width: width)
      try expectAgreement(graph, input, "factor \(factor), \(channels) channels of \(height)x\(width)")
    }
  }

  @Test(arguments: Resize.Placement.allCases, [1, 3, 8, 11])
  func resamplingAgrees(placement: Resize.Placement, channels: Int) throws {
    for (height, width, size) in [
      (1, 1, Pair(3, 2)), (7, 8, Pair(11, 5)), (5, 9, Pair(1, 1)), (6, 4, Pair(6, 13)),
      (352, 7, Pair(1080, 3)),
    ] {
      var random = SeededRandom(seed: 15)
      var graph = Graph(channels: channels, contract: PixelPreset.unit.contract)
      graph.append(.resize(Resize(input: graph.output, size: size, placement: placement)))
      graph.append(.activation(Activation(input: graph.output, function: .relu)))
      let input = randomMap(&random, channels: channels, height: height, width: width)
      try expectAgreement(graph, input, "\(placement) to \(size), \(channels) channels of \(height)x\(width)")
    }
  }

  /// Geometry with nothing behind it has to be carried out all the same.
  @Test(arguments: PaddingMode.allCases, [1, 3, 8, 11])
  func bareGeometryAgrees(mode: PaddingMode, channels: Int) throws {
    var random = SeededRandom(seed: 14)
    var graph = Graph(channels: channels, contract: PixelPreset.unit.contract)
    graph.append(.upsample(Upsample(input: graph.output, factor: Pair(2, 3))))
    graph.append(
      .pad(Pad(input: graph.output, amounts: Insets(top: 2, left: 0, bottom: 1, right: 3), mode: mode)))
    graph.append(.crop(Crop(input: graph.output, amounts: Insets(top: 1, left: 1, bottom: 0, right: 0))))
    let input = randomMap(&random, channels: channels, height: 3, width: 4)
    try expectAgreement(graph, input, tolerance: 0, "\(mode), \(channels) channels")
  }
}
