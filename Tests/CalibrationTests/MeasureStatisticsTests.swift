import Diagnostics
import Imaging
import ModelGraph
import Runtime
import Tensors
import TestSupport
import Testing

@testable import Calibration

@Suite struct MeasureStatisticsTests {
  private func picture(_ width: Int, _ height: Int, seed: UInt64) -> Picture {
    var random = SeededRandom(seed: seed)
    return Picture(width: width, height: height, samples: random.floats(width * height * 3, in: 60...190))
  }

  /// Two convolutions with a live norm between them, the first of several groups.
  private func network(_ random: inout SeededRandom) -> Graph {
    var graph = Graph(contract: PixelPreset.unit.contract)
    let first = graph.addConstant("first", random.tensor([12, 3, 3, 3]))
    graph.append(.convolution(Convolution(input: graph.output, weight: first, padding: Insets(all: 1))))
    graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
    graph.append(.activation(Activation(input: graph.output, function: .relu)))
    let second = graph.addConstant("second", random.tensor([8, 3, 3, 3]))
    graph.append(.convolution(Convolution(input: graph.output, weight: second, groups: 4)))
    let third = graph.addConstant("third", random.tensor([3, 8, 1, 1], in: -0.1...0.1))
    graph.append(.convolution(Convolution(input: graph.output, weight: third)))
    graph.append(.activation(Activation(input: graph.output, function: .sigmoid)))
    return graph
  }

  /// One convolution of single pixels: its moments are those of the pixels, and of signs times 255.
  @Test func momentsOfOneConvolutionAreThoseOfThePixels() throws {
    var graph = Graph(contract: PixelPreset.unit.contract)
    let weight = graph.addConstant(
      "weight", StoredTensor(shape: [3, 3, 1, 1], floats: [0.5, 0.2, 0.1, 0.1, 0.5, 0.3, 0.2, 0.2, 0.4]))
    graph.append(.convolution(Convolution(input: graph.output, weight: weight)))
    let picture = picture(20, 15, seed: 1)
    let statistics = try measureStatistics(graph, pictures: [CalibrationPicture(name: "a", picture: picture)])
    let layer = try #require(statistics[weight])
    let count = picture.samples.count / 3
    for row in 0..<3 {
      for column in 0..<3 {
        let expected =
          (0..<count).reduce(0.0) {
            $0 + Double(picture.samples[3 * $1 + row]) / 255 * Double(picture.samples[3 * $1 + column]) / 255
          } / Double(count)
        #expect((Double(layer.groups[0].inputs[row * 3 + column]) - expected).magnitude < 1e-4 * expected)
      }
      #expect((layer.groups[0].gradients[row * 3 + row] - 255 * 255 / 3).magnitude < 1)
    }
    #expect(layer.layout == WeightRows(isTransposed: false, groups: 1, rows: 3, inputs: 3, taps: 1))
  }

  /// What small random changes of the weights do to the picture, against what the moments say of them.
  @Test func foretellsWhatRandomChangesDo() throws {
    var random = SeededRandom(seed: 21)
    let graph = network(&random)
    let picture = picture(40, 32, seed: 2)
    let statistics = try measureStatistics(
      graph, pictures: [CalibrationPicture(name: "a", picture: picture)],
      options: CalibrationOptions(probes: 8))
    #expect(statistics.layers.map(\.name) == ["first", "second", "third"])
    let exact = try Engine(graph).run(picture)
    for layer in statistics.layers {
      let tensor = try #require(graph.tensor(layer.weight))
      var (foretold, measured) = (0.0, 0.0)
      for _ in 0..<12 {
        let change = random.floats(tensor.shape.count, in: -0.002...0.002)
        var changed = graph
        changed.setTensor(
          StoredTensor(shape: tensor.shape, floats: zip(tensor.floats(), change).map(+)), of: layer.weight)
        measured += meanSquaredError(try Engine(changed).run(picture), exact)
        foretold += loss(layer, change)
      }
      // Errors at neighbouring positions are alike, which the moments do not know: within a factor of two.
      #expect(
        foretold > measured / 2 && foretold < measured * 2, "\(layer.name): \(foretold) for \(measured)")
    }
  }

  private func loss(_ layer: CalibrationStatistics.Layer, _ change: [Float]) -> Double {
    let layout = layer.layout
    var total = 0.0
    for (group, moments) in layer.groups.enumerated() {
      for i in 0..<layout.rows {
        for j in 0..<layout.rows {
          var sum = 0.0
          for a in 0..<layout.columns {
            for b in 0..<layout.columns {
              sum +=
                Double(change[layout.index(group: group, row: i, column: a)])
                * Double(moments.inputs[a * layout.columns + b])
                * Double(change[layout.index(group: group, row: j, column: b)])
            }
          }
          total += Double(moments.gradients[i * layout.rows + j]) * sum
        }
      }
    }
    return total
  }

  @Test func sameStatisticsForAnyThreads() throws {
    var random = SeededRandom(seed: 21)
    let graph = network(&random)
    let pictures = [
      CalibrationPicture(name: "a", picture: picture(40, 32, seed: 2)),
      CalibrationPicture(name: "b", picture: picture(24, 50, seed: 3)),
      CalibrationPicture(
        name: "ramp",
        picture: Picture(width: 32, height: 32, samples: (0..<32 * 32 * 3).map { Float($0 / 3 % 32 * 4) }),
        isRamp: true),
    ]
    let results = try [1, 2, 5].map { threads in
      try measureStatistics(graph, pictures: pictures, options: CalibrationOptions(threads: threads))
    }
    for result in results {
      for (layer, first) in zip(result.layers, results[0].layers) {
        #expect(layer.groups.map(\.inputs) == first.groups.map(\.inputs))
        #expect(layer.groups.map(\.gradients) == first.groups.map(\.gradients))
      }
    }
  }

  @Test func refusesWhatCannotBeCalibrated() {
    var random = SeededRandom(seed: 1)
    let graph = network(&random)
    let picture = CalibrationPicture(name: "a", picture: picture(9, 9, seed: 1))
    #expect(throws: StyleModelError.self) { _ = try measureStatistics(graph, pictures: []) }
    #expect(throws: StyleModelError.self) {
      _ = try measureStatistics(graph, pictures: [picture], options: CalibrationOptions(rampShare: 1))
    }
    #expect(throws: StyleModelError.self) {
      let tiny = CalibrationPicture(name: "tiny", picture: self.picture(1, 1, seed: 1))
      _ = try measureStatistics(graph, pictures: [tiny])
    }
  }
}
