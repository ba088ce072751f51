import Diagnostics
import Imaging
import ModelGraph
import Runtime
import Testing

@testable import ONNXImporter

/// Operators that the graph says with others: the numbers are those of the ONNX standard.
@Suite struct ChannelsTests {
  typealias Node = HandMadeModel.Node

  private static let picture = Picture(
    width: 2, height: 2, samples: [-1, 20, 300, 4, -50, 60, 7, 8, 9, -10, 11, 12])

  /// The network's output for `picture`, one list a channel, in C order.
  private static func output(_ nodes: [Node], _ tensors: [HandMadeModel.Tensor] = []) throws -> [[Float]] {
    let network = try HandMadeModel(nodes: nodes, tensors: tensors).network()
    let output = try Engine(network.graph, threads: 1).run(picture)
    return (0..<3).map { channel in
      stride(from: channel, to: output.samples.count, by: 3).map { output.samples[$0] }
    }
  }

  private static let red: [Float] = [-1, 4, 7, -10]
  private static let green: [Float] = [20, -50, 8, 11]
  private static let blue: [Float] = [300, 60, 9, 12]

  @Test func gatherMovesChannels() throws {
    let nodes = [Node("Gather", ["x", "i"], "y", ("axis", .integer(1)))]
    let found = try Self.output(nodes, [.integers("i", [2, -2, 0])])
    #expect(found == [Self.blue, Self.green, Self.red])
  }

  @Test func sliceTakesChannelsBackwards() throws {
    let found = try Self.output(
      [Node("Slice", ["x", "starts", "ends", "axes", "steps"], "y")],
      [
        .integers("starts", [2]), .integers("ends", [-4]), .integers("axes", [1]), .integers("steps", [-1]),
      ])
    #expect(found == [Self.blue, Self.green, Self.red])
  }

  @Test func splitAndConcatPutTogetherAnew() throws {
    var split = Node("Split", ["x", "sizes"], "a", ("axis", .integer(1)))
    split.moreOutputs = ["b"]
    let found = try Self.output(
      [split, Node("Relu", ["b"], "c"), Node("Concat", ["c", "a"], "y", ("axis", .integer(1)))],
      [.integers("sizes", [1, 2])])
    #expect(found == [Self.green.map { max($0, 0) }, Self.blue, Self.red])
  }

  @Test func sumAddsAll() throws {
    let found = try Self.output([Node("Relu", ["x"], "a"), Node("Sum", ["x", "a", "x"], "y")])
    #expect(found == [Self.red, Self.green, Self.blue].map { $0.map { 2 * $0 + max($0, 0) } })
  }

  @Test func absoluteValuesLoseTheirSign() throws {
    let found = try Self.output([Node("Abs", ["x"], "y")])
    #expect(found == [Self.red, Self.green, Self.blue].map { $0.map(abs) })
  }

  @Test func averagesAreOfEachChannel() throws {
    let found = try Self.output([
      Node("AveragePool", ["x"], "y", ("kernel_shape", .integers([2, 2])), ("strides", .integers([2, 2])))
    ])
    #expect(found == [[0], [-2.75], [95.25]])
  }
}
