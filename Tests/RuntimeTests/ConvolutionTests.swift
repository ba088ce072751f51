import Imaging
import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Runtime

/// Every kind of convolution against the plain executor.
@Suite struct ConvolutionTests {
  /// One convolution.
  struct Case: CustomTestStringConvertible {
    var inputs = 8
    var outputs = 8
    var kernel = (3, 3)
    var size = (7, 9)  // height, width
    var stride = Pair.one
    var padding = Insets(all: 1)
    var mode = PaddingMode.zero
    var dilation = Pair.one
    var groups = 1
    var hasBias = true

    var testDescription: String {
      "\(inputs)→\(outputs) k\(kernel) of \(size) stride \(stride) padding \(padding) \(mode) dilation \(dilation) groups \(groups) bias \(hasBias)"
    }
  }

  static let channels: [Case] = [1, 2, 3, 5, 8, 12, 16, 17, 32].flatMap { inputs in
    [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 25, 33].map { outputs in
      Case(inputs: inputs, outputs: outputs, size: (5, 8), hasBias: (inputs + outputs) % 3 > 0)
    }
  }

  static let sizes: [Case] = [(1, 1), (1, 7), (5, 1), (2, 2), (3, 13), (13, 6), (17, 31)].flatMap { size in
    PaddingMode.allCases.flatMap { mode in
      [(3, 3), (12, 5), (3, 20), (16, 3)].compactMap { inputs, outputs in
        let amount = mode == .reflect ? min(1, min(size.0, size.1) - 1) : 1
        guard min(size.0, size.1) + 2 * amount >= 3 else { return nil }
        return Case(inputs: inputs, outputs: outputs, size: size, padding: Insets(all: amount), mode: mode)
      }
    }
  }

  static let kernels: [Case] = [(1, 1), (2, 2), (1, 5), (5, 1), (4, 3), (7, 7), (9, 9)].flatMap { kernel in
    [Pair(1, 1), Pair(2, 2), Pair(3, 1), Pair(1, 2)].flatMap { stride in
      [(3, 9), (8, 3), (9, 16)].map { inputs, outputs in
        Case(
          inputs: inputs, outputs: outputs, kernel: kernel, size: (14, 15), stride: stride,
          padding: Insets(
            top: kernel.0 / 2, left: kernel.1 / 2, bottom: (kernel.0 - 1) / 2, right: (kernel.1 - 1) / 2),
          mode: .reflect)
      }
    }
  }

  static let dilations: [Case] = [Pair(2, 2), Pair(1, 3), Pair(3, 2)].flatMap { dilation in
    [(3, 8), (8, 2), (10, 18)].flatMap { inputs, outputs in
      PaddingMode.allCases.map { mode in
        Case(
          inputs: inputs, outputs: outputs, size: (11, 12), stride: Pair(2, 1),
          padding: Insets(top: 3, left: 2, bottom: 1, right: 4), mode: mode, dilation: dilation)
      }
    }
  }

  static let groups: [Case] = [
    (4, 4, 2), (6, 9, 3), (16, 8, 2), (10, 10, 5), (24, 40, 4), (9, 18, 9), (3, 3, 3), (8, 8, 8),
    (13, 13, 13),
    (32, 32, 32), (64, 64, 64), (20, 60, 20), (36, 18, 2), (2, 2, 2),
  ].flatMap { inputs, outputs, groups in
    [Pair.one, Pair(2, 2)].flatMap { stride in
      [(3, 3), (9, 9), (1, 1)].map { kernel in
        Case(
          inputs: inputs, outputs: outputs, kernel: kernel, size: (12, 11), stride: stride,
          padding: Insets(all: kernel.0 / 2), mode: .reflect, groups: groups)
      }
    }
  }

  @Test(arguments: channels + sizes + kernels + dilations + groups)
  func agrees(_ test: Case) throws {
    var random = SeededRandom(seed: 1)
    var graph = Graph(channels: test.inputs, contract: PixelPreset.unit.contract)
    let weight = graph.addConstant(
      "w", random.tensor([test.outputs, test.inputs / test.groups, test.kernel.0, test.kernel.1]))
    let bias = test.hasBias ? graph.addConstant("b", random.tensor([test.outputs])) : nil
    graph.append(
      .convolution(
        Convolution(
          input: graph.input.value, weight: weight, bias: bias, stride: test.stride, padding: test.padding,
          paddingMode: test.mode, dilation: test.dilation, groups: test.groups)))
    let input = randomMap(&random, channels: test.inputs, height: test.size.0, width: test.size.1)
    try expectAgreement(graph, input, test.testDescription)
  }

  /// Wide enough for several tiles a row, or rows enough for several in a tile; statistics merged over all of them.
  @Test(arguments: [(3, 8, 9, (9, 301)), (16, 3, 9, (9, 260)), (8, 8, 3, (1100, 3)), (4, 4, 1, (520, 258))])
  func agreesOverManyTiles(inputs: Int, outputs: Int, kernel: Int, size: (height: Int, width: Int)) throws {
    var random = SeededRandom(seed: 2)
    var graph = Graph(channels: inputs, contract: PixelPreset.unit.contract)
    let weight = graph.addConstant("w", random.tensor([outputs, inputs, kernel, kernel]))
    graph.append(
      .convolution(
        Convolution(
          input: graph.input.value, weight: weight, padding: Insets(all: kernel / 2), paddingMode: .replicate)
      ))
    graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
    let input = randomMap(&random, channels: inputs, height: size.height, width: size.width)
    try expectAgreement(graph, input, tolerance: 1e-5, "\(inputs)→\(outputs) k\(kernel) of \(size)")
  }

  static let transposed: [Case] = [(1, 1), (2, 2), (3, 3), (4, 4), (9, 2), (2, 5)].flatMap { kernel in
    [Pair(1, 1), Pair(2, 2), Pair(3, 2), Pair(4, 1)].flatMap { stride in
      [(3, 5, 1), (8, 16, 2), (12, 3, 1), (16, 16, 16), (9, 3, 3)].map { inputs, outputs, groups in
        Case(
          inputs: inputs, outputs: outputs, kernel: kernel, size: (5, 6), stride: stride,
          padding: Insets(top: kernel.0 / 2, left: 0, bottom: kernel.0 / 3, right: kernel.1 / 2),
          dilation: kernel.0 == 3 ? Pair(2, 1) : .one, groups: groups, hasBias: stride != Pair(3, 2))
      }
    }
  }

  @Test(arguments: transposed)
  func transposedAgrees(_ test: Case) throws {
    var random = SeededRandom(seed: 3)
    var graph = Graph(channels: test.inputs, contract: PixelPreset.unit.contract)
    let weight = graph.addConstant(
      "w", random.tensor([test.inputs, test.outputs / test.groups, test.kernel.0, test.kernel.1]))
    let bias = test.hasBias ? graph.addConstant("b", random.tensor([test.outputs])) : nil
    graph.append(
      .transposedConvolution(
        TransposedConvolution(
          input: graph.input.value, weight: weight, bias: bias, stride: test.stride, padding: test.padding,
          outputPadding: Pair(test.stride.vertical - 1, 1), dilation: test.dilation, groups: test.groups)))
    let input = randomMap(&random, channels: test.inputs, height: test.size.0, width: test.size.1)
    try expectAgreement(graph, input, test.testDescription)
  }

  /// Paddings and enlargements that the convolution reads through, in every order.
  @Test(arguments: PaddingMode.allCases, [(8, 16, 3), (16, 3, 3), (8, 8, 9), (3, 4, 2), (8, 8, 1)])
  func readsThroughViews(mode: PaddingMode, kernel: (inputs: Int, outputs: Int, extent: Int)) throws {
    for factor in [Pair(2, 2), Pair(1, 3), Pair(4, 2)] {
      for stride in [Pair.one, Pair(2, 1)] {
        var random = SeededRandom(seed: 4)
        var graph = Graph(channels: kernel.inputs, contract: PixelPreset.unit.contract)
        graph.append(
          .pad(Pad(input: graph.output, amounts: Insets(top: 1, left: 2, bottom: 0, right: 1), mode: mode)))
        graph.append(.upsample(Upsample(input: graph.output, factor: factor)))
        graph.append(.crop(Crop(input: graph.output, amounts: Insets(top: 1, left: 0, bottom: 2, right: 3))))
        graph.append(.pad(Pad(input: graph.output, amounts: Insets(all: 2), mode: .reflect)))
        let weight = graph.addConstant(
          "w", random.tensor([kernel.outputs, kernel.inputs, kernel.extent, kernel.extent]))
        graph.append(
          .convolution(
            Convolution(
              input: graph.output, weight: weight, stride: stride, padding: Insets(all: kernel.extent / 2),
              paddingMode: mode)))
        graph.append(.activation(Activation(input: graph.output, function: .relu)))
        let input = randomMap(&random, channels: kernel.inputs, height: 6, width: 7)
        try expectAgreement(graph, input, "\(mode) \(kernel) factor \(factor) stride \(stride)")
      }
    }
  }

  @Test func tapsThatCoincideAreSummed() {
    // A doubled line, reflected by one at both ends, read by three taps: two taps remain.
    let line: [Int32] = [0, 0, 0, 1, 1, 2, 2, 2]
    let tables = TapTable.convolution(reading: line, outputs: 6, taps: 3, stride: 1, dilation: 1, repeats: 2)
    #expect(
      tables.map(\.taps) == [[[0], [1, 2]], [[0, 1], [2]]]
        || tables.map(\.taps) == [[[0, 1], [2]], [[0], [1, 2]]])
    #expect(tables.map(\.outputs) == [3, 3])
  }

  /// What "same" comes to, against the same convolution with the padding written out: TensorFlow's figures.
  @Test(arguments: [
    // kernel, stride, dilation, height, width, padding above, left, below, right
    (3, 2, 1, 8, 7, [0, 1, 1, 1]), (3, 2, 1, 7, 8, [1, 0, 1, 1]), (4, 2, 1, 7, 6, [1, 1, 2, 1]),
    (5, 3, 1, 9, 10, [1, 2, 1, 2]), (3, 1, 2, 6, 5, [2, 2, 2, 2]), (2, 1, 1, 4, 5, [0, 0, 1, 1]),
    (1, 2, 1, 5, 6, [0, 0, 0, 0]),
  ])
  func padsByThePicturesSize(
    kernel: Int, stride: Int, dilation: Int, height: Int, width: Int, expected: [Int]
  ) throws {
    var random = SeededRandom(seed: 11)
    let weight = random.tensor(Shape([3, 3, kernel, kernel]))
    let samples = random.floats(height * width * 3, in: 0...255)
    func run(_ padding: Insets, _ same: Convolution.Same?) throws -> (runtime: [Float], plain: [Double]) {
      var graph = Graph(contract: PixelPreset.raw255.contract)
      let value = graph.addConstant("w", weight)
      graph.append(
        .convolution(
          Convolution(
            input: graph.input.value, weight: value, stride: Pair(stride, stride), padding: padding,
            same: same,
            dilation: Pair(dilation, dilation))))
      let picture = Picture(width: width, height: height, samples: samples)
      let map = PlainExecutor.Map(
        channels: 3, height: height, width: width,
        values: (0..<(3 * height * width)).map {
          Double(samples[$0 % (height * width) * 3 + $0 / (height * width)])
        })
      return (try Engine(graph).run(picture).samples, try PlainExecutor(graph).run(map).values)
    }
    let insets = Insets(top: expected[0], left: expected[1], bottom: expected[2], right: expected[3])
    let (upper, plainUpper) = try run(.zero, .upper)
    let (written, plainWritten) = try run(insets, nil)
    #expect(upper == written)
    #expect(plainUpper == plainWritten)
    // "lower" has the odd row on the other side.
    let other = Insets(top: expected[2], left: expected[3], bottom: expected[0], right: expected[1])
    #expect(try run(.zero, .lower).runtime == run(other, nil).runtime)
  }
}
