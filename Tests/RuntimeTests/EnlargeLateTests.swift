import Diagnostics
import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Runtime

@Suite struct EnlargeLateTests {
  private var random = SeededRandom(seed: 22)

  /// Enlargement, 1×1, norm, ReLU6, depthwise: the decoder of the MobileNet-like families.
  private mutating func bottleneck() -> Graph {
    var graph = Graph(channels: 8, contract: PixelPreset.unit.contract)
    let narrow = graph.addConstant("narrow", random.tensor([16, 8, 1, 1]))
    let depthwise = graph.addConstant("depthwise", random.tensor([16, 1, 3, 3]))
    graph.append(.upsample(Upsample(input: graph.output, factor: Pair(2, 2))))
    graph.append(.convolution(Convolution(input: graph.output, weight: narrow)))
    graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
    graph.append(.activation(Activation(input: graph.output, function: .clamp(lower: 0, upper: 6))))
    graph.append(
      .convolution(
        Convolution(
          input: graph.output, weight: depthwise, padding: Insets(all: 1), paddingMode: .reflect, groups: 16))
    )
    return graph
  }

  @Test mutating func movesBehindWhatTreatsCopiesAlike() throws {
    let graph = bottleneck()
    let late = graph.enlargingLate()
    #expect(late.nodes.map(\.operation.mnemonic) == ["conv", "instance_norm", "clamp", "upsample", "conv"])
    #expect(late.output == graph.output && late.nodes.map(\.result) == graph.nodes.map(\.result))
    let size = PictureSize(width: 9, height: 7)
    #expect(try late.shapes(for: size)[late.output] == graph.shapes(for: size)[graph.output])
    let input = randomMap(&random, channels: 8, height: 7, width: 9)
    try expectAgreement(graph, input, tolerance: 5e-6, "bottleneck")
    // The wide map exists at the small size only: it and the depthwise result are all there is.
    let plan = try Plan(graph, size: PictureSize(width: 16, height: 16))
    #expect(plan.arenaFloats == 16 * 16 * 16 + 32 * 32 * 16)
  }

  @Test mutating func staysBeforeWhatDoesNot() throws {
    let wide = random.tensor([8, 8, 3, 3])
    let single = random.tensor([8, 8, 1, 1])
    let cases: [(String, (inout Graph, ValueID) -> Void)] = [
      (
        "3×3 taps",
        { graph, value in
          graph.append(.convolution(Convolution(input: value, weight: graph.addConstant("w", wide))))
        }
      ),
      (
        "a stride",
        { graph, value in
          graph.append(
            .convolution(
              Convolution(input: value, weight: graph.addConstant("w", single), stride: Pair(2, 1))))
        }
      ),
      (
        "padding",
        { graph, value in
          graph.append(
            .convolution(
              Convolution(input: value, weight: graph.addConstant("w", single), padding: Insets(all: 1))))
        }
      ),
      (
        "two users",
        { graph, value in
          let relu = graph.append(.activation(Activation(input: value, function: .relu)))
          graph.append(.binary(Binary(.subtract, relu, value)))
        }
      ),
    ]
    for (name, build) in cases {
      var graph = Graph(channels: 8, contract: PixelPreset.unit.contract)
      let enlarged = graph.append(.upsample(Upsample(input: graph.output, factor: Pair(2, 2))))
      build(&graph, enlarged)
      #expect(graph.enlargingLate() == graph, "\(name)")
      let input = randomMap(&random, channels: 8, height: 5, width: 6)
      try expectAgreement(graph, input, "\(name)")
    }
  }

  @Test mutating func theOutputItselfStays() {
    var graph = Graph(channels: 3, contract: PixelPreset.unit.contract)
    graph.append(.upsample(Upsample(input: graph.output, factor: Pair(2, 2))))
    #expect(graph.enlargingLate() == graph)
  }
}
