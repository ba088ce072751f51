import CKernels
import Imaging
import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Runtime

/// Held against NumPy's float16: tools/half-goldens.py computes the same network and prints these figures.
@Suite struct HalfPrecisionTests {
  private static let width = 6
  private static let height = 5
  private static let channels = 4

  /// The output, `[3][height][width]`.
  private static let expected: [Float] = [
    0.2484130859375, 0.2548828125, 0.320068359375, 0.775390625, -0.460693359375, 0.93505859375,
    0.461181640625, -0.1973876953125, 0.349609375, 0.128173828125, 1.740234375, -0.62646484375,
    -0.1112060546875, 0.14599609375, 0.7060546875, 0.061309814453125, -0.30224609375, 1.6279296875,
    -1.0634765625, 1.8876953125, -1.7001953125, 0.876953125, -0.708984375, 0.38525390625, 0.74658203125,
    0.1787109375, 1.9091796875, -0.0440673828125, 0.60546875, 0.1307373046875, -0.2301025390625,
    -0.1717529296875, -0.00925445556640625, -0.88623046875, -0.90478515625, -0.391357421875, -0.20849609375,
    -0.0191192626953125, -1.123046875, 0.599609375, 0.303955078125, -0.86767578125, -0.388671875,
    -1.451171875, 0.305419921875, -1.443359375, 0.23779296875, -0.29052734375, -1.197265625,
    0.1263427734375, -1.611328125, 0.3447265625, -2.388671875, 0.340576171875, -1.0107421875,
    -0.368408203125, 0.358154296875, -0.318359375, -0.435546875, -0.177978515625, -2.296875, -1.63671875,
    -2.955078125, -1.6787109375, -1.3623046875, -2.30078125, -1.33984375, -2.525390625, -0.9775390625,
    -3.015625, -2.2421875, -1.810546875, -1.701171875, -1.775390625, -2.451171875, -0.8173828125,
    -3.005859375, -1.8427734375, -2.75, -0.70849609375, -1.9990234375, -1.0380859375, -2.51171875,
    -0.30908203125, -3.53125, -0.9697265625, -4.20703125, -0.7578125, -2.70703125, -1.3359375,
  ]

  private func tensor(_ shape: Shape, seed: Int) -> StoredTensor {
    StoredTensor(shape: shape, floats: (0..<shape.count).map { Float(Double(($0 * 7 + seed) % 17 - 8) / 10) })
  }

  private func network(inputScale: Float = 1) -> Graph {
    var contract = PixelPreset.raw255.contract
    contract.inputScale = [inputScale, inputScale, inputScale]
    var graph = Graph(contract: contract)
    let channels = Self.channels
    func convolve(_ name: String, _ shape: Shape, seed: Int, biasSeed: Int) -> ValueID {
      let weight = graph.addConstant("\(name).weight", tensor(shape, seed: seed))
      let bias = graph.addConstant("\(name).bias", tensor([shape[0]], seed: biasSeed))
      return graph.append(
        .convolution(
          Convolution(
            input: graph.output, weight: weight, bias: bias, padding: Insets(all: shape[2] / 2),
            paddingMode: .reflect)))
    }
    let first = convolve("conv1", [channels, 3, 3, 3], seed: 3, biasSeed: 1)
    let gamma = graph.addConstant("norm.weight", tensor([channels], seed: 11))
    let beta = graph.addConstant("norm.bias", tensor([channels], seed: 6))
    graph.append(.instanceNorm(InstanceNorm(input: first, gamma: gamma, beta: beta)))
    let relu = graph.append(.activation(Activation(input: graph.output, function: .relu)))
    let second = convolve("conv2", [channels, channels, 3, 3], seed: 5, biasSeed: 2)
    graph.append(.binary(Binary(.add, second, relu)))
    _ = convolve("conv3", [3, channels, 1, 1], seed: 9, biasSeed: 4)
    return graph
  }

  private let picture = Picture(
    width: width, height: height, samples: (0..<width * height * 3).map { Float(($0 * 37 + 11) % 256) })

  @Test(arguments: InstructionSet.allCases, [1, 3])
  func agreesWithNumPyToTheBit(set: InstructionSet, threads: Int) throws {
    let engine = try Engine(
      network(), threads: threads, instructionSet: set, precision: .float16(statistics: .float32))
    var overflow: HalfOverflow?
    let output = try engine.run(picture, observer: RunObserver(overflow: { overflow = $0 }))
    let planes = (0..<3).flatMap { channel in
      (0..<Self.width * Self.height).map { output.samples[3 * $0 + channel] }
    }
    #expect(planes == Self.expected)
    #expect(overflow == nil)
  }

  @Test func namesTheFirstLayerThatOverflows() throws {
    let engine = try Engine(network(inputScale: 150), precision: .float16(statistics: .float32))
    for _ in 0..<2 {  // the counts start anew with each run
      var overflow: HalfOverflow?
      let output = try engine.run(picture, observer: RunObserver(overflow: { overflow = $0 }))
      #expect(overflow == HalfOverflow(layer: "conv1.weight", what: .result, count: 2))
      #expect(output.nonFinitePixelCount == Self.width * Self.height)
    }
  }

  @Test func statisticsInHalfPrecisionOverflow() throws {
    let engine = try Engine(network(), precision: .float16(statistics: .float16))
    var overflow: HalfOverflow?
    _ = try engine.run(picture, observer: RunObserver(overflow: { overflow = $0 }))
    #expect(overflow == HalfOverflow(layer: "norm.weight", what: .sumOfSquares, count: 4))
  }

  @Test func weightsThatOverflowComeFirst() throws {
    var graph = network()
    let bias = try #require(graph.constant(named: "conv2.bias"))
    graph.setTensor(StoredTensor(shape: [4], floats: [1, 65520, -1e9, 65519]), of: bias)
    var overflow: HalfOverflow?
    _ = try Engine(graph, precision: .float16(statistics: .float32)).run(
      picture, observer: RunObserver(overflow: { overflow = $0 }))
    #expect(overflow == HalfOverflow(layer: "conv2.bias", what: .weight, count: 2))
    #expect(overflow?.text == "half precision overflows first in conv2.bias: 2 weights beyond 65504")
  }

  @Test func phasesAreRoundedToo() throws {
    // A convolution behind a doubling runs in four phases, whose pixels do not stand side by side.
    var random = SeededRandom(seed: 77)
    var graph = Graph(contract: PixelPreset.raw255.contract)
    graph.append(.upsample(Upsample(input: graph.output, factor: Pair(2, 2))))
    let weight = graph.addConstant("w", random.tensor([3, 3, 3, 3]))
    graph.append(
      .convolution(
        Convolution(input: graph.output, weight: weight, padding: Insets(all: 1), paddingMode: .reflect)))
    let output = try Engine(graph, precision: .float16(statistics: .float32)).run(picture)
    var rounded = output.samples
    #expect(ck_round_to_half(&rounded, rounded.count, 1, 1) == 0)
    #expect(rounded == output.samples)
    #expect(try Engine(graph).run(picture).samples != output.samples)
  }

  @Test func countsOnlyChannels() {
    // Four lanes a pixel, of which the first three are channels; one overflow among them, NaN is none.
    var numbers: [Float] = [1, 2, 70000, 70000, .nan, .infinity, -65519, 1e9]
    #expect(ck_round_to_half(&numbers, 2, 4, 3) == 1)
    #expect(numbers[2] == .infinity && numbers[3] == .infinity && numbers[4].isNaN)
    #expect(numbers[5] == .infinity && numbers[6] == -65504)
  }

  @Test func progressRisesToOne() throws {
    var shares: [Double] = []
    _ = try Engine(network()).run(picture, observer: RunObserver(progress: { shares.append($0) }))
    #expect(shares == shares.sorted() && shares.count > 2 && abs((shares.last ?? 0) - 1) < 1e-9)
  }
}
