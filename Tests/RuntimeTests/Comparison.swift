import Diagnostics
import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Runtime

/// Runs a graph through plan and kernels on a map of any number of channels.
func runOnEngine(
  _ graph: Graph, _ input: PlainExecutor.Map, threads: Int = 2, instructionSet: InstructionSet = .best
) throws -> [Float] {
  let plan = try Plan(graph, size: PictureSize(width: input.width, height: input.height))
  var weights: [PackedConvolution.Key: PackedConvolution] = [:]
  for (key, kernel) in plan.packings { weights[key] = try PackedConvolution(kernel, key) }
  let machine = try Machine(
    plan, kernels: instructionSet.kernels, workers: Workers(count: threads), weights: weights)
  // Whatever a step does not write must not matter to the next one.
  machine.fillArena(with: .nan)
  let layout = plan.layout(plan.input)
  let target = machine.pointer(plan.input)
  target.update(repeating: 0, count: layout.floatCount)
  for channel in 0..<input.channels {
    for row in 0..<input.height {
      for column in 0..<input.width {
        target[row * layout.rowStride + column * layout.pixelStride + channel] = Float(
          input[channel, row, column])
      }
    }
  }
  machine.run()
  let output = plan.layout(plan.output)
  let source = machine.pointer(plan.output)
  var values: [Float] = []
  for channel in 0..<output.channels {
    for row in 0..<output.height {
      for column in 0..<output.width {
        values.append(source[row * output.rowStride + column * output.pixelStride + channel])
      }
    }
  }
  return values
}

/// A map of seeded numbers that floats hold exactly.
func randomMap(
  _ random: inout SeededRandom, channels: Int, height: Int, width: Int, in range: ClosedRange<Float> = -1...1
) -> PlainExecutor.Map {
  PlainExecutor.Map(
    channels: channels, height: height, width: width,
    values: random.floats(channels * height * width, in: range).map(Double.init))
}

/// Holds the engine, with every instruction set and different numbers of threads, against the plain executor: no
/// number may be off by more than `tolerance` times the largest, and the number of threads may not change a bit. Direct
/// convolution has to keep 2e-6; Winograd's algorithm, which rounds about twice as much, 8e-6.
func expectAgreement(
  _ graph: Graph, _ input: PlainExecutor.Map, tolerance: Double? = nil, _ description: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let expected = try PlainExecutor(graph).run(input)
  let plan = try Plan(graph, size: PictureSize(width: input.width, height: input.height))
  let isTransformed = plan.steps.contains { $0 is WinogradStep || $0 is NestedWinogradStep }
  let tolerance = tolerance ?? (isTransformed ? 8e-6 : 2e-6)
  let largest = max(expected.values.map(\.magnitude).max() ?? 0, 1e-30)
  for set in InstructionSet.allCases {
    let actual = try runOnEngine(graph, input, threads: 1, instructionSet: set)
    try #require(actual.count == expected.values.count, "\(description)", sourceLocation: sourceLocation)
    var worst = 0.0
    var place = 0
    for (index, value) in actual.enumerated() {
      let error = (Double(value) - expected.values[index]).magnitude / largest
      if !(error <= worst) { (worst, place) = (error, index) }
    }
    #expect(
      worst <= tolerance,
      "\(description), \(set): off by \(worst) of the largest at \(place): \(actual[place]) for \(expected.values[place])",
      sourceLocation: sourceLocation)
    for threads in [3, 7] {
      let again = try runOnEngine(graph, input, threads: threads, instructionSet: set)
      // Not compared as arrays: the difference of two long ones takes minutes to word.
      let firstDifference = again.indices.first { again[$0].bitPattern != actual[$0].bitPattern }
      #expect(
        again.count == actual.count && firstDifference == nil,
        "\(description), \(set): \(threads) threads differ from 1", sourceLocation: sourceLocation)
    }
  }
}
