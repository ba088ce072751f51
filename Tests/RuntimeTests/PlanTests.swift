import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Runtime

@Suite struct PlanTests {
  private func residualNetwork(blocks: Int) -> Graph {
    var random = SeededRandom(seed: 15)
    var graph = Graph(channels: 8, contract: PixelPreset.unit.contract)
    for block in 0..<blocks {
      let skip = graph.output
      for layer in 0..<2 {
        let weight = graph.addConstant("w\(block).\(layer)", random.tensor([8, 8, 3, 3]))
        graph.append(
          .convolution(
            Convolution(input: graph.output, weight: weight, padding: Insets(all: 1), paddingMode: .reflect)))
        graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
        if layer == 0 { graph.append(.activation(Activation(input: graph.output, function: .relu))) }
      }
      graph.append(.binary(Binary(.add, graph.output, skip)))
    }
    return graph
  }

  @Test func memoryDoesNotGrowWithTheNumberOfLayers() throws {
    let size = PictureSize(width: 64, height: 48)
    let few = try Plan(residualNetwork(blocks: 2), size: size)
    let many = try Plan(residualNetwork(blocks: 20), size: size)
    #expect(many.arenaFloats == few.arenaFloats)
    #expect(
      few.arenaFloats == 3 * 64 * 48 * 8, "input of the block, and one map for each of its convolutions")
  }

  @Test func aBlockIsTwoPassesAConvolution() throws {
    let plan = try Plan(residualNetwork(blocks: 1), size: PictureSize(width: 9, height: 9))
    #expect(
      plan.steps.count == 4, "two convolutions that measure, two norms with activation and sum behind them")
    #expect(plan.steps.map(\.stages.count) == [0, 2, 0, 2])
    #expect((plan.steps[0] as? any Convolving)?.measures == true)
    #expect((plan.steps[3] as? PointwiseStep).map { $0.source == $0.output } == true, "in place")
  }

  @Test func buffersAliveTogetherDoNotOverlap() {
    var random = SeededRandom(seed: 16)
    for _ in 0..<200 {
      let buffers = (0..<12).map { _ in
        let first = Int.random(in: 0..<20, using: &random)
        return BufferLifetime(
          floats: Int.random(in: 1...9, using: &random), first: first,
          last: first + Int.random(in: 0..<6, using: &random))
      }
      let (offsets, total) = BufferLifetime.place(buffers)
      for left in buffers.indices {
        #expect(offsets[left] + buffers[left].floats <= total)
        for right in 0..<left
        where buffers[left].first <= buffers[right].last && buffers[right].first <= buffers[left].last {
          #expect(
            offsets[left] + buffers[left].floats <= offsets[right]
              || offsets[right] + buffers[right].floats <= offsets[left])
        }
      }
    }
  }

  /// A value that is still wanted is not overwritten, whatever stands between.
  @Test func sharedValuesSurvive() throws {
    var random = SeededRandom(seed: 17)
    var graph = Graph(channels: 8, contract: PixelPreset.unit.contract)
    let weight = graph.addConstant("w", random.tensor([8, 8, 1, 1]))
    let base = graph.append(.convolution(Convolution(input: graph.output, weight: weight)))
    let whole = graph.append(.crop(Crop(input: base, amounts: .zero)))
    let clamped = graph.append(.activation(Activation(input: whole, function: .relu)))
    let norm = graph.append(.instanceNorm(InstanceNorm(input: base)))
    let again = graph.append(.instanceNorm(InstanceNorm(input: base, epsilon: 1)))
    let sum = graph.append(.binary(Binary(.add, norm, clamped)))
    let product = graph.append(.binary(Binary(.multiply, again, sum)))
    graph.append(.binary(Binary(.subtract, base, product)))
    let input = randomMap(&random, channels: 8, height: 7, width: 10)
    try expectAgreement(graph, input, tolerance: 5e-6, "shared values")
  }

  @Test func theInputSurvives() throws {
    var random = SeededRandom(seed: 18)
    var graph = Graph(channels: 3, contract: PixelPreset.unit.contract)
    let input = graph.output
    graph.append(.activation(Activation(input: input, function: .relu)))
    graph.append(.activation(Activation(input: graph.output, function: .linear(scale: 2, bias: 1))))
    graph.append(.binary(Binary(.subtract, graph.output, input)))
    try expectAgreement(graph, randomMap(&random, channels: 3, height: 4, width: 5), "input used twice")
    try expectAgreement(
      Graph(channels: 3, contract: PixelPreset.unit.contract),
      randomMap(&random, channels: 3, height: 4, width: 5),
      tolerance: 0, "no operation at all")
  }

  @Test func placesOperandsThatAreNoConstants() throws {
    var graph = Graph(channels: 3, contract: PixelPreset.unit.contract)
    let picture = graph.addConstant(
      "p", StoredTensor(shape: [1, 3, 4, 4], floats: [Float](repeating: 0, count: 48)))
    graph.append(.binary(Binary(.add, graph.input.value, picture)))
    #expect(throws: (any Error).self) { try Plan(graph, size: PictureSize(width: 4, height: 4)) }
  }
}
