import CKernels
import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Runtime

@Suite struct LayerBenchmarkTests {
  /// A direct convolution, one for Winograd's algorithm, a norm with activation, and one behind a doubling.
  private func network() -> Graph {
    var random = SeededRandom(seed: 50)
    var graph = Graph(contract: PixelPreset.unit.contract)
    func convolve(_ name: String, _ inputs: Int, _ outputs: Int) {
      let weight = graph.addConstant("\(name).weight", random.tensor([outputs, inputs, 3, 3]))
      graph.append(
        .convolution(
          Convolution(input: graph.output, weight: weight, padding: Insets(all: 1), paddingMode: .reflect)))
    }
    convolve("first", 3, 8)
    convolve("second", 8, 16)
    graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
    graph.append(.activation(Activation(input: graph.output, function: .relu)))
    graph.append(.upsample(Upsample(input: graph.output, factor: Pair(2, 2))))
    convolve("third", 16, 8)
    convolve("fourth", 8, 3)
    return graph
  }

  @Test func everyLayerHasItsTimeAndItsWork() throws {
    let engine = try Engine(network(), threads: 2)
    let result = try engine.benchmarkLayers(size: PictureSize(width: 40, height: 20), runs: 2)
    #expect(result.layers.map(\.name) == ["first", "second", "", "third", "fourth"])
    #expect(
      result.layers.map(\.method) == [
        "3x3 direct", "3x3 winograd", "norm, clamp", "4 of 2x2 winograd", "3x3 direct",
      ])
    #expect(
      result.layers.map(\.shape) == [[8, 20, 40], [16, 20, 40], [16, 20, 40], [8, 40, 80], [3, 40, 80]])
    // Two operations a multiplication: 9 taps a pixel; 36 a tile of 4×4 pixels, or of 5×5.
    let expected: [Double] = [
      2 * 9 * 3 * 8 * 20 * 40, 2 * 36 * 8 * 16 * (5 * 10), 0, 2 * 36 * 16 * 8 * 4 * (4 * 8),
      2 * 9 * 8 * 3 * 40 * 80,
    ]
    #expect(result.layers.map(\.operations) == expected)
    #expect(result.layers.allSatisfy { $0.seconds > 0 && $0.seconds.isFinite })
    #expect(result.layers[2].bytes == Double(2 * 16 * 20 * 40 * 4), "read and written once")
    #expect(result.rates.operationsPerSecond > 1e7 && result.rates.bytesPerSecond > 1e7)
  }

  @Test func theBottleneckDecidesWhatIsPossible() {
    let rates = MachineRates(operationsPerSecond: 100, bytesPerSecond: 10)
    #expect(rates.leastSeconds(operations: 200, bytes: 10) == 2)
    #expect(rates.leastSeconds(operations: 200, bytes: 50) == 5)
    let layer = LayerTiming(
      name: "", method: "", shape: [], seconds: 10, operations: 200, bytes: 50)
    #expect(layer.shareOfRoofline(rates) == 0.5)
  }

  @Test(arguments: [CK_INSTRUCTIONS_PORTABLE, ck_best_instructions()])
  func theCalibrationLoopComputes(_ kernels: ck_instructions) {
    // Whatever the sums start from, x ↦ ¾x + ½ takes them to 2, and the loop adds up whole vectors of them.
    let total = ck_multiply_add_rounds(kernels, 1000)
    #expect(total == 2 * 8 * 6 || total == 2 * 8 * 12)
  }
}
