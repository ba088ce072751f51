import Diagnostics
import Imaging
import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Runtime

/// The way back through every operation, against finite differences of the plain executor in double precision.
@Suite struct GradientRunTests {
  /// A network of three channels in and out, with something of its own in the middle.
  struct Case: CustomTestStringConvertible {
    let name: String
    var width = 11
    var height = 10
    let build: @Sendable (inout Graph, inout SeededRandom) -> Void

    var testDescription: String { name }
  }

  private static func convolve(
    _ graph: inout Graph, _ random: inout SeededRandom, _ shape: Shape, stride: Pair = .one,
    padding: Insets = .zero, mode: PaddingMode = .zero, dilation: Pair = .one, groups: Int = 1,
    same: Convolution.Same? = nil
  ) {
    let weight = graph.addConstant("w\(graph.nodes.count)", random.tensor(shape))
    let bias = graph.addConstant("b\(graph.nodes.count)", random.tensor([shape[0]]))
    graph.append(
      .convolution(
        Convolution(
          input: graph.output, weight: weight, bias: bias, stride: stride, padding: padding,
          paddingMode: mode,
          same: same, dilation: dilation, groups: groups)))
  }

  private static func transpose(
    _ graph: inout Graph, _ random: inout SeededRandom, _ shape: Shape, stride: Pair, padding: Insets,
    outputPadding: Pair = .zero, dilation: Pair = .one, groups: Int = 1
  ) {
    let weight = graph.addConstant("t\(graph.nodes.count)", random.tensor(shape))
    graph.append(
      .transposedConvolution(
        TransposedConvolution(
          input: graph.output, weight: weight, stride: stride, padding: padding, outputPadding: outputPadding,
          dilation: dilation, groups: groups)))
  }

  private static func activationCase(_ name: String, _ function: Activation.Function) -> Case {
    Case(name: name) { graph, random in
      convolve(&graph, &random, [9, 3, 3, 3])
      graph.append(.activation(Activation(input: graph.output, function: function)))
      convolve(&graph, &random, [3, 9, 1, 1])
    }
  }

  private static func padCase(_ mode: PaddingMode) -> Case {
    Case(name: "pad \(mode)") { graph, random in
      convolve(
        &graph, &random, [8, 3, 3, 3], padding: Insets(top: 2, left: 1, bottom: 3, right: 0), mode: mode)
      graph.append(
        .pad(Pad(input: graph.output, amounts: Insets(top: 1, left: 2, bottom: 3, right: 4), mode: mode)))
      convolve(&graph, &random, [3, 8, 3, 3])
    }
  }

  static let cases: [Case] = [
    Case(name: "convolutions") { graph, random in
      convolve(&graph, &random, [9, 3, 3, 3], stride: Pair(2, 1), padding: Insets(all: 1))
      convolve(&graph, &random, [16, 9, 3, 2], padding: Insets(top: 0, left: 1, bottom: 2, right: 0))
      convolve(&graph, &random, [8, 16, 3, 3], padding: Insets(all: 2), dilation: Pair(2, 1))
      convolve(&graph, &random, [3, 8, 2, 2], same: .upper)
    },
    Case(name: "large maps", width: 40, height: 37) { graph, random in
      convolve(&graph, &random, [16, 3, 9, 9], padding: Insets(all: 4), mode: .reflect)
      convolve(&graph, &random, [24, 16, 3, 3], padding: Insets(all: 1), mode: .reflect)
      convolve(&graph, &random, [16, 24, 3, 3], padding: Insets(all: 1))
      convolve(&graph, &random, [3, 16, 9, 9], padding: Insets(all: 4), mode: .replicate)
    },
    Case(name: "groups") { graph, random in
      convolve(&graph, &random, [12, 3, 1, 1])
      convolve(&graph, &random, [8, 3, 3, 3], stride: Pair(1, 2), groups: 4)
      convolve(&graph, &random, [8, 1, 3, 3], padding: Insets(all: 1), groups: 8)
      convolve(&graph, &random, [3, 8, 1, 1])
    },
    Case(name: "transposed") { graph, random in
      transpose(
        &graph, &random, [3, 9, 3, 3], stride: Pair(2, 2), padding: Insets(all: 1), outputPadding: Pair(1, 1))
      transpose(
        &graph, &random, [9, 4, 4, 3], stride: Pair(2, 1),
        padding: Insets(top: 0, left: 1, bottom: 1, right: 2), dilation: Pair(1, 2), groups: 3)
      convolve(&graph, &random, [3, 12, 1, 1])
    },
    padCase(.zero), padCase(.reflect), padCase(.replicate),
    Case(name: "crop") { graph, random in
      convolve(&graph, &random, [3, 3, 3, 3])
      graph.append(.crop(Crop(input: graph.output, amounts: Insets(top: 1, left: 0, bottom: 2, right: 3))))
    },
    Case(name: "instance norm") { graph, random in
      convolve(&graph, &random, [9, 3, 3, 3])
      let gamma = graph.addConstant("gamma", random.tensor([9], in: 0.5...2))
      let beta = graph.addConstant("beta", random.tensor([9]))
      graph.append(
        .instanceNorm(InstanceNorm(input: graph.output, gamma: gamma, beta: beta, epsilon: 1e-2)))
      convolve(&graph, &random, [3, 9, 3, 3])
      graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
    },
    Case(name: "batch norm") { graph, random in
      convolve(&graph, &random, [9, 3, 3, 3])
      let vectors = ["gamma", "beta", "mean", "variance"].map {
        graph.addConstant($0, random.tensor([9], in: 0.5...2))
      }
      graph.append(
        .batchNorm(
          BatchNorm(
            input: graph.output, mean: vectors[2], variance: vectors[3], gamma: vectors[0], beta: vectors[1],
            epsilon: 1e-3)))
      convolve(&graph, &random, [3, 9, 1, 1])
    },
    activationCase("relu", .relu), activationCase("leaky", .leakyReLU(slope: 0.2)),
    activationCase("clamp", .clamp(lower: -0.5, upper: 0.7)), activationCase("sigmoid", .sigmoid),
    activationCase("tanh", .tanh), activationCase("linear", .linear(scale: -1.5, bias: 0.3)),
    Case(name: "residual, difference, product") { graph, random in
      convolve(&graph, &random, [8, 3, 3, 3], padding: Insets(all: 1))
      let first = graph.output
      convolve(&graph, &random, [8, 8, 3, 3], padding: Insets(all: 1))
      let second = graph.output
      graph.append(.binary(Binary(.add, first, second)))
      let sum = graph.output
      graph.append(.binary(Binary(.subtract, first, sum)))
      graph.append(.binary(Binary(.multiply, graph.output, second)))
      graph.append(.binary(Binary(.multiply, graph.output, graph.output)))
      convolve(&graph, &random, [3, 8, 1, 1])
    },
    Case(name: "nearest enlargement") { graph, random in
      convolve(&graph, &random, [8, 3, 3, 3])
      graph.append(.upsample(Upsample(input: graph.output, factor: Pair(2, 3))))
      convolve(&graph, &random, [3, 8, 3, 3], padding: Insets(all: 1), mode: .reflect)
    },
    Case(name: "resampling to one size") { graph, random in
      convolve(&graph, &random, [8, 3, 3, 3])
      graph.append(.resize(Resize(input: graph.output, size: Pair(13, 9), placement: .start)))
      convolve(&graph, &random, [3, 8, 3, 3])
    },
    Case(name: "bilinear enlargement") { graph, random in
      convolve(&graph, &random, [8, 3, 3, 3])
      graph.append(.upsample(Upsample(input: graph.output, factor: Pair(3, 2), mode: .bilinear)))
      convolve(&graph, &random, [3, 8, 3, 3])
    },
  ]

  private func map(_ picture: Picture) -> PlainExecutor.Map {
    var values: [Double] = []
    for channel in 0..<3 {
      for pixel in 0..<picture.width * picture.height {
        values.append(Double(picture.samples[3 * pixel + channel]) / 255)
      }
    }
    return PlainExecutor.Map(channels: 3, height: picture.height, width: picture.width, values: values)
  }

  /// The sum of the output's samples, each times its own factor.
  private func number(_ graph: Graph, _ input: PlainExecutor.Map, _ factors: Picture) throws -> Double {
    let output = try PlainExecutor(graph).run(input)
    var sum = 0.0
    for channel in 0..<3 {
      for pixel in 0..<factors.width * factors.height {
        sum +=
          255 * output.values[channel * factors.width * factors.height + pixel]
          * Double(factors.samples[3 * pixel + channel])
      }
    }
    return sum
  }

  private func expectNear(
    _ value: Double, _ expected: Double, _ comment: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      (value - expected).magnitude <= 2e-4 * max(expected.magnitude, 1e-2),
      "\(comment): \(value) for \(expected)",
      sourceLocation: sourceLocation)
  }

  @Test(arguments: cases) func agreesWithFiniteDifferences(_ item: Case) throws {
    var random = SeededRandom(seed: 11)
    var graph = Graph(channels: 3, contract: PixelPreset.unit.contract)
    item.build(&graph, &random)
    let picture = Picture(
      width: item.width, height: item.height,
      samples: random.floats(item.width * item.height * 3, in: 20...230))
    let run = try GradientRun(
      graph, size: PictureSize(width: item.width, height: item.height), wantsInput: true, threads: 2)
    let output = run.forward(picture)
    let factors = Picture(
      width: output.width, height: output.height, samples: random.floats(output.samples.count))
    var weightGradients: [ValueID: [Double]] = [:]
    let gradient = try #require(
      run.backward(factors) { trace in
        weightGradients[trace.weight] = self.weightGradient(trace, graph)
      })
    let input = map(picture)

    // Small enough that hardly any corner of a function lies in between, and far above what doubles round.
    let step = 1e-6
    let direction = random.floats(input.values.count)
    var moved = (input, input)
    var expected = 0.0
    for index in input.values.indices {
      moved.0.values[index] += step * Double(direction[index])
      moved.1.values[index] -= step * Double(direction[index])
      let (channel, pixel) = index.quotientAndRemainder(dividingBy: item.width * item.height)
      expected += Double(direction[index]) * 255 * Double(gradient.samples[3 * pixel + channel])
    }
    let change = try number(graph, moved.0, factors) - number(graph, moved.1, factors)
    expectNear(expected, change / (2 * step), "input")

    for (weight, values) in weightGradients {
      let tensor = try #require(graph.tensor(weight))
      let direction = random.floats(values.count)
      // Halves of floats' own steps, so that the weights that are tried are exactly those meant.
      let size: Float = 0x1p-12
      func moved(_ sign: Float) -> Graph {
        var result = graph
        result.setTensor(
          StoredTensor(
            shape: tensor.shape, floats: zip(tensor.floats(), direction).map { $0 + sign * size * $1 }),
          of: weight)
        return result
      }
      let (up, down) = (moved(1), moved(-1))
      let between = zip(up.tensor(weight)?.floats() ?? [], down.tensor(weight)?.floats() ?? []).map {
        Double($0) - Double($1)
      }
      let change = try number(up, input, factors) - number(down, input, factors)
      let expected = zip(values, between).reduce(0) { $0 + $1.0 * $1.1 }
      #expect(
        (expected - change).magnitude <= 5e-3 * max(change.magnitude, 1e-3),
        "weight \(weight): \(expected) for \(change)")
    }
    #expect(!weightGradients.isEmpty)
  }

  /// The gradient of the weights: what they are multiplied with, times the gradient of the result, over all positions.
  private func weightGradient(_ trace: ConvolutionTrace, _ graph: Graph) -> [Double] {
    let columns = trace.groupInputs * trace.taps
    var sums = [Double](repeating: 0, count: graph.tensor(trace.weight)?.shape.count ?? 0)
    var patch = [Float](repeating: 0, count: columns)
    var gradient = [Float](repeating: 0, count: trace.groupOutputs)
    for group in 0..<trace.groups {
      for row in 0..<trace.height {
        for column in 0..<trace.width {
          patch.withUnsafeMutableBufferPointer {
            if let base = $0.baseAddress {
              trace.readPatch(row: row, column: column, group: group, into: base)
            }
          }
          gradient.withUnsafeMutableBufferPointer {
            if let base = $0.baseAddress {
              trace.readGradient(row: row, column: column, group: group, into: base)
            }
          }
          for output in 0..<trace.groupOutputs {
            for index in 0..<columns {
              let (input, tap) = index.quotientAndRemainder(dividingBy: trace.taps)
              let place =
                trace.isTransposed
                ? ((group * trace.groupInputs + input) * trace.groupOutputs + output) * trace.taps + tap
                : (group * trace.groupOutputs + output) * columns + index
              sums[place] += Double(gradient[output]) * Double(patch[index])
            }
          }
        }
      }
    }
    return sums
  }

  @Test func givesThePictureAndTheSameBitsForAnyThreads() throws {
    var random = SeededRandom(seed: 3)
    var graph = Graph(channels: 3, contract: PixelPreset.imagenet.contract)
    for index in [1, 4, 8] { Self.cases[index].build(&graph, &random) }
    let picture = Picture(width: 40, height: 37, samples: random.floats(40 * 37 * 3, in: 0...255))
    let size = PictureSize(width: 40, height: 37)
    let expected = try Engine(graph, threads: 1).run(picture)
    var first: (forward: Picture, backward: Picture)?
    for threads in [1, 2, 5] {
      let run = try GradientRun(graph, size: size, wantsInput: true, threads: threads)
      let forward = run.forward(picture)
      let largest = expected.samples.map(\.magnitude).max() ?? 1
      #expect(zip(forward.samples, expected.samples).allSatisfy { ($0 - $1).magnitude <= 1e-5 * largest })
      // Twice: what the first gradient leaves behind must not matter to the second.
      let ones = Picture(
        width: forward.width, height: forward.height, samples: forward.samples.map { $0 > 0 ? 1 : -1 })
      let backward = try #require(run.backward(ones))
      #expect(run.backward(ones) == backward)
      if let first {
        #expect(first.forward == forward)
        #expect(first.backward == backward)
      } else {
        first = (forward, backward)
      }
    }
  }
}
