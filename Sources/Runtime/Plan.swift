import Diagnostics
import ModelGraph

/// A map of features that the plan keeps in memory for a while.
struct BufferID: Hashable {
  /// The index among the plan's buffers.
  let index: Int
}

/// One pass over memory: reads some buffers and writes one.
protocol Step {
  /// The buffers that are read, those of the stages included.
  var reads: [BufferID] { get }
  /// The buffer that is written.
  var output: BufferID { get }
  /// What is done to the output before it leaves the cache.
  var stages: [Stage] { get set }
  /// Whether stages may be added.
  var takesStages: Bool { get }
  /// The scratch memory that each worker needs, in bytes.
  var scratchBytes: Int { get }
  /// The number of spreads that are written.
  var spreadCount: Int { get }
  /// About how long it takes, in multiplications: what progress is measured by.
  var workEstimate: Double { get }
  /// Computes the output.
  func run(on machine: Machine)
}

extension Step {
  var takesStages: Bool { true }
  var scratchBytes: Int { 0 }
  var spreadCount: Int { 0 }
}

/// A graph made ready for one picture size: the steps in their order, and where in one block of memory each buffer
/// lies. Buffers that are never needed at the same time share memory, so that it does not grow with the number
/// of layers.
struct Plan {
  /// The steps.
  let steps: [any Step]
  /// The layout of each buffer.
  let layouts: [MapLayout]
  /// Where each buffer begins, in floats.
  let offsets: [Int]
  /// The size of the memory that the buffers share, in floats.
  let arenaFloats: Int
  /// The network's input.
  let input: BufferID
  /// The network's output.
  let output: BufferID
  /// The zeros that kernels may read.
  let zeroCount: Int
  /// The values that are looked at, by the number of steps after which they are there.
  let observations: [Int: [Observation]]

  /// A value that is looked at.
  struct Observation {
    let value: ValueID
    let buffer: BufferID
  }
  /// The roundings to half precision, in the graph's order; none in single precision.
  let roundings: [HalfRounding]

  /// Makes a plan.
  /// - Parameter observed: the results of operations to be looked at on the way; each is there in full, in a buffer,
  ///   once its last step has run.
  /// - Throws: `.badInput` when the network cannot take the size.
  init(
    _ graph: Graph, size: PictureSize, precision: ComputePrecision = .float32, observed: Set<ValueID> = []
  ) throws(StyleModelError) {
    // In half precision every operation is done where the graph has it, so that its roundings are too; and an
    // enlargement that has moved leaves its value to what it has moved behind.
    let graph = precision == .float32 && observed.isEmpty ? graph.enlargingLate() : graph
    var planner = try Planner(graph, size: size, precision: precision, observed: observed)
    var observations: [Int: [Observation]] = [:]
    for node in graph.nodes {
      try planner.add(node)
      guard observed.contains(node.result) else { continue }
      let buffer = try planner.stored(node.result)
      observations[planner.steps.count, default: []].append(Observation(value: node.result, buffer: buffer))
    }
    let output = try planner.stored(graph.output)
    let looks = observations.flatMap { count, here in here.map { ($0.buffer, count - 1) } }
    self.init(planner, output: output, extended: looks, observations: observations)
  }

  /// Makes a plan of the steps that were planned.
  /// - Parameter extended: buffers that live until a step at least.
  init(
    _ planner: Planner, output: BufferID, extended: [(buffer: BufferID, step: Int)],
    observations: [Int: [Observation]] = [:]
  ) {
    self.observations = observations
    steps = planner.steps
    layouts = planner.layouts
    input = planner.input
    self.output = output
    zeroCount = planner.zeroCount
    roundings = planner.roundings
    var lifetimes = layouts.map { BufferLifetime(floats: $0.floatCount, first: Int.max, last: Int.min) }
    lifetimes[input.index].extend(to: -1)
    lifetimes[output.index].extend(to: steps.count)
    for (index, step) in steps.enumerated() {
      for buffer in step.reads + [step.output] { lifetimes[buffer.index].extend(to: index) }
    }
    for (buffer, step) in extended { lifetimes[buffer.index].extend(to: step) }
    (offsets, arenaFloats) = BufferLifetime.place(lifetimes)
  }

  /// The layout of a buffer.
  func layout(_ buffer: BufferID) -> MapLayout { layouts[buffer.index] }

  /// The scratch memory that each worker needs, in bytes.
  var scratchBytes: Int { steps.map(\.scratchBytes).max() ?? 0 }

  /// The spreads that a measured step writes, at most.
  var spreadCount: Int { steps.map(\.spreadCount).max() ?? 0 }

  /// The packed weights that the steps need.
  var packings: [(key: PackedConvolution.Key, kernel: ConvolutionKernel)] {
    steps.compactMap { $0 as? any Convolving }.flatMap(\.packings)
  }
}
