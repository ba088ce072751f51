import Imaging
import ModelGraph
import Runtime
import Tensors
import TestSupport
import Testing

@testable import Calibration

@Suite struct LayerLossTests {
  @Test func expectedLossesAreNearTheMeasuredOnes() throws {
    var random = SeededRandom(seed: 21)
    var graph = Graph(contract: PixelPreset.unit.contract)
    let first = graph.addConstant("first", random.tensor([16, 3, 3, 3]))
    graph.append(.convolution(Convolution(input: graph.output, weight: first)))
    graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
    graph.append(.activation(Activation(input: graph.output, function: .relu)))
    let second = graph.addConstant("second", random.tensor([3, 16, 3, 3], in: -0.1...0.1))
    graph.append(.convolution(Convolution(input: graph.output, weight: second)))
    graph.append(.activation(Activation(input: graph.output, function: .sigmoid)))
    let picture = Picture(width: 40, height: 32, samples: random.floats(40 * 32 * 3, in: 60...190))
    let pictures = [CalibrationPicture(name: "a", picture: picture)]

    let statistics = try measureStatistics(graph, pictures: pictures)
    let tensors = try CompensatedRounding(graph, statistics: statistics).rounded(delta: 0.2)
    let losses = try measuredLosses(graph, tensors: tensors, pictures: pictures, statistics: statistics)
    #expect(losses.map(\.name) == ["first", "second"])
    for (loss, tensor) in zip(losses, tensors) {
      #expect(loss.expected == tensor.expectedLoss)
      #expect(loss.measured > loss.expected / 3 && loss.measured < loss.expected * 3, "\(loss)")
      var changed = graph
      changed.setTensor(StoredTensor(shape: tensor.shape, floats: tensor.floats), of: tensor.weight)
      let error = meanSquaredError(try Engine(changed).run(picture), try Engine(graph).run(picture))
      #expect((loss.measured - error).magnitude < 1e-9 * error)
    }
  }
}
