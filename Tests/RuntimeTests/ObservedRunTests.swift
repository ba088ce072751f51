import Diagnostics
import Imaging
import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Runtime

@Suite struct ObservedRunTests {
  /// What planning would rather hide: a norm and an activation in place of the convolution, a sum, an enlargement that
  /// is only a view, and a convolution whose result nobody needs.
  private func network() -> Graph {
    var random = SeededRandom(seed: 31)
    var graph = Graph(contract: PixelPreset.unit.contract)
    func convolve(_ input: ValueID, _ inputs: Int, _ outputs: Int) -> ValueID {
      let weight = graph.addConstant("w\(graph.nodes.count)", random.tensor([outputs, inputs, 3, 3]))
      return graph.append(
        .convolution(Convolution(input: input, weight: weight, padding: Insets(all: 1))))
    }
    let first = convolve(graph.input.value, 3, 9)
    let norm = graph.append(.instanceNorm(InstanceNorm(input: first)))
    let active = graph.append(.activation(Activation(input: norm, function: .relu)))
    let second = convolve(active, 9, 9)
    let sum = graph.append(.binary(Binary(.add, active, second)))
    _ = convolve(active, 9, 5)
    let large = graph.append(.upsample(Upsample(input: sum, factor: Pair(2, 2))))
    _ = convolve(large, 9, 3)
    return graph
  }

  @Test func showsEveryResultAndChangesNone() throws {
    let graph = network()
    let size = PictureSize(width: 13, height: 10)
    var random = SeededRandom(seed: 32)
    let picture = Picture(width: 13, height: 10, samples: random.floats(13 * 10 * 3, in: 0...255))
    let engine = try Engine(graph, threads: 2)
    var seen: [ValueID: [Float]] = [:]
    var squares: [ValueID: Double] = [:]
    let output = try engine.run(picture, observing: Set(graph.nodes.map(\.result))) { value, map in
      #expect(seen[value] == nil, "\(value) is shown twice")
      var numbers: [Float] = []
      for channel in 0..<map.channels {
        for row in 0..<map.height {
          for column in 0..<map.width { numbers.append(map[channel, row, column]) }
        }
      }
      seen[value] = numbers
      squares[value] = map.sumOfSquares
    }
    // What `run` reads through, an enlargement say, is summed in another order here.
    for (observed, plain) in zip(output.samples, try engine.run(picture).samples) {
      #expect(abs(observed - plain) <= 1e-5 * max(255, abs(plain)))
    }
    let shapes = try graph.shapes(for: size)
    for node in graph.nodes {
      // The plain executor gives a value's numbers where that value is the output.
      var part = graph
      part.output = node.result
      let input = PlainExecutor.Map(
        channels: 3, height: 10, width: 13,
        values: (0..<3 * 130).map { Double(picture.samples[$0 % 130 * 3 + $0 / 130] * (1 / Float(255))) })
      let expected = try PlainExecutor(part).run(input).values
      let numbers = try #require(seen[node.result], "\(node.result) is not shown")
      #expect(numbers.count == shapes[node.result]?.count)
      let largest = expected.map(abs).max() ?? 0
      for (number, wanted) in zip(numbers, expected) {
        #expect(abs(Double(number) - wanted) <= 4e-6 * largest, "\(graph.line(for: node))")
      }
      let sum = expected.reduce(0) { $0 + $1 * $1 }
      #expect(abs((squares[node.result] ?? 0) - sum) <= 1e-5 * sum)
    }
  }

  @Test func valuesThatNobodyComputesAreNotShown() throws {
    let graph = network()
    let picture = Picture(width: 8, height: 8, samples: [Float](repeating: 7, count: 192))
    try Engine(graph).run(picture, observing: [graph.input.value]) { value, _ in
      Issue.record("\(value) is shown")
    }
  }
}
