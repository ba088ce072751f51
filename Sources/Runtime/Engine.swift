import CKernels
public import Diagnostics
public import Imaging
public import ModelGraph
import Synchronization
import Tensors

/// Runs a network on pictures of any size that it can take.
///
/// Weights are packed once; the plan and the memory for the last picture size are kept, so that pictures of one size
/// cost no more than their arithmetic. Results depend neither on the number of threads nor on what ran before.
/// Calls from several threads wait for one another.
public final class Engine: Sendable {
  /// The network.
  public let graph: Graph
  /// The number of threads that compute.
  public let threads: Int
  /// The kernels that are used.
  public let instructionSet: InstructionSet
  /// What the numbers between the layers are held in.
  public let precision: ComputePrecision
  /// How much memory a run may take.
  public let memoryLimit: MemoryLimit
  /// The network with its weights in that precision.
  let computedGraph: Graph
  private let weightOverflow: HalfOverflow?
  private let state = Mutex(State())

  /// Only touched by who holds the lock.
  private final class State: @unchecked Sendable {
    var machine: Machine?
    var execution: Execution?
    var size: PictureSize?
    var weights: [PackedConvolution.Key: PackedConvolution] = [:]
  }

  /// Creates an engine; nothing is computed yet.
  /// - Parameters:
  ///   - graph: the network.
  ///   - threads: how many threads compute, 1 to 256; nil is one for each core.
  ///   - instructionSet: which kernels are used.
  ///   - precision: what weights and the numbers between the layers are held in.
  ///   - memoryLimit: how much memory a run may take; a picture that takes more in one piece is run in bands, with the
  ///     same result to the bit.
  /// - Throws: `.badInput` when the graph does not verify; `.usage` when it is of several styles: see
  ///   `Graph.requireOneStyle()`.
  public init(
    _ graph: Graph, threads: Int? = nil, instructionSet: InstructionSet = .best,
    precision: ComputePrecision = .float32, memoryLimit: MemoryLimit = .physical
  ) throws(StyleModelError) {
    try graph.verify()
    try graph.requireOneStyle()
    self.graph = graph
    self.threads = min(max(1, threads ?? Workers.allCores), Workers.greatestCount)
    self.instructionSet = instructionSet
    self.precision = precision
    self.memoryLimit = memoryLimit
    (computedGraph, weightOverflow) = precision == .float32 ? (graph, nil) : try graph.roundedToHalf()
  }

  /// The network's answer to a picture: `output * outputScale + outputBias` in RGB, neither clamped nor rounded, and
  /// not necessarily finite. A few rows and columns more than the picture has, which strides have brought about, are
  /// cut off at the bottom and the right; a network that enlarges by design keeps its size.
  /// - Parameters:
  ///   - picture: the picture; its memory is free as soon as it has been read for the last time, if nobody else holds
  ///     it.
  ///   - observer: is told how far the run is, and what overflowed.
  /// - Throws: `.badInput` when the network cannot take the picture's size, naming the operation that cannot and the
  ///   smallest size that can; when the memory limit does not allow it, naming what it would take.
  public func run(
    _ picture: consuming Picture, observer: RunObserver = RunObserver()
  ) throws(StyleModelError) -> Picture {
    let size = PictureSize(width: picture.width, height: picture.height)
    let source = SourceStep.Box()
    source.picture = consume picture
    return try state.withLock { (state) throws(StyleModelError) -> Picture in
      switch try execution(for: size, state) {
      case .whole(let plan): return try run(plan, source, observer, state)
      case .banded(let execution): return try run(execution, source, observer, state)
      }
    }
  }

  private func run(
    _ plan: Plan, _ source: SourceStep.Box, _ observer: RunObserver, _ state: State
  ) throws(StyleModelError) -> Picture {
    guard let picture = source.picture else { preconditionFailure("run puts a picture there") }
    let wanted = try outputSize(for: PictureSize(width: picture.width, height: picture.height))
    let machine: Machine
    if let warm = state.machine { machine = warm } else { machine = try self.machine(for: plan, state) }
    state.machine = machine
    graph.contract.write(picture, to: machine.pointer(plan.input))
    let inputOverflow = precision == .float32 ? nil : machine.roundInputToHalf()
    machine.run(progress: observer.progress)
    if let overflow = weightOverflow ?? inputOverflow ?? machine.firstOverflow() {
      observer.overflow(overflow)
    }
    return graph.contract.read(
      machine.pointer(plan.output), plan.layout(plan.output), croppedTo: wanted)
  }

  private func run(
    _ execution: BandedExecution, _ source: SourceStep.Box, _ observer: RunObserver, _ state: State
  ) throws(StyleModelError) -> Picture {
    // Not kept: what follows a large picture, its encoding, wants memory too.
    let machine = try machine(for: execution.plan, state, placement: execution.bands.placement)
    execution.source.box.picture = source.picture
    source.picture = nil
    let size = execution.sink.size
    var failure: StyleModelError?
    let samples = [Float](unsafeUninitializedCapacity: size.width * size.height * 3) { samples, count in
      execution.sink.box.samples = samples.baseAddress
      let runner = BandRunner(
        plan: execution.bands, machine: machine, layouts: execution.plan.layouts, source: execution.source.box
      )
      do throws(StyleModelError) { try runner.run(progress: observer.progress) } catch {
        failure = error
        samples.initialize(repeating: 0)
      }
      count = samples.count
    }
    if let failure { throw failure }
    return Picture(width: size.width, height: size.height, samples: samples)
  }

  /// The bytes that a run at this size takes at its peak, in one piece or in bands as the memory limit has it: features,
  /// scratch, weights, and the two pictures.
  /// - Throws: `.badInput` as `run` does.
  public func peakMemoryEstimate(for size: PictureSize) throws(StyleModelError) -> Int {
    try state.withLock { (state) throws(StyleModelError) -> Int in
      switch try execution(for: size, state) {
      case .whole(let plan): return bytes(of: plan)
      case .banded(let execution): return fixedBytes(of: execution.plan) + execution.bands.peakBytes
      }
    }
  }

  /// The size of the picture that `run` gives for one of `size`.
  /// - Throws: `.badInput` as `run` does.
  public func outputSize(for size: PictureSize) throws(StyleModelError) -> PictureSize {
    let shapes = try shapes(for: size)
    guard let output = shapes[graph.output] else { return size }
    return graph.trimmedSize(PictureSize(width: output[3], height: output[2]), for: size)
  }

  private func machine(
    for plan: Plan, _ state: State, placement: (offsets: [Int], floats: Int)? = nil
  ) throws(StyleModelError) -> Machine {
    for (key, kernel) in plan.packings where state.weights[key] == nil {
      state.weights[key] = try PackedConvolution(kernel, key)
    }
    return try Machine(
      plan, kernels: instructionSet.kernels, workers: Workers(count: threads), weights: state.weights,
      placement: placement)
  }
}

// MARK: - In one piece or in bands

extension Engine {
  private func execution(for size: PictureSize, _ state: State) throws(StyleModelError) -> Execution {
    if state.size == size, let execution = state.execution { return execution }
    _ = try shapes(for: size)
    state.machine = nil  // its memory is free before the next one's is taken
    state.size = nil
    let plan = try Plan(computedGraph, size: size, precision: precision)
    let execution = try execution(of: plan, size)
    state.execution = execution
    state.size = size
    return execution
  }

  private func execution(of plan: Plan, _ size: PictureSize) throws(StyleModelError) -> Execution {
    let whole = bytes(of: plan) + memoryLimit.besides
    guard whole > memoryLimit.wanted else { return .whole(plan) }
    let fixed = fixedBytes(of: plan) + memoryLimit.besides
    var banded: BandedExecution?
    if precision == .float32 {  // overflows are counted where they happen, which must be once
      banded = BandedExecution(
        plan, contract: graph.contract, outputSize: try outputSize(for: size),
        limit: memoryLimit.wanted - fixed)
    }
    let least = banded.map { fixed + $0.bands.peakBytes } ?? whole
    try requireMemory(min(least, whole), for: size)
    if let banded, least < whole { return .banded(banded) }
    return .whole(plan)
  }

  /// Refuses early what cannot end well: the system promises memory that it does not have, and ends the process that
  /// then uses it.
  /// - Parameter bytes: what the process takes then, what it takes besides the run included.
  /// - Throws: `.badInput` when that is more than the memory limit allows.
  func requireMemory(_ bytes: Int, for size: PictureSize) throws(StyleModelError) {
    guard bytes > memoryLimit.most else { return }
    throw StyleModelError(
      .badInput,
      "a picture of \(size) takes \(byteSize(bytes)) of memory, more than the limit of "
        + byteSize(memoryLimit.most),
      remedy: "use a smaller picture or raise the limit")
  }

  /// What a run in one piece takes.
  func bytes(of plan: Plan) -> Int {
    let pictures = [plan.layout(plan.input), plan.layout(plan.output)].reduce(0) { $0 + 3 * $1.pixels }
    return (plan.arenaFloats + pictures) * MemoryLayout<Float>.stride + fixedBytes(of: plan)
  }

  /// What it takes besides maps and pictures.
  private func fixedBytes(of plan: Plan) -> Int {
    var floats = plan.zeroCount
    var packed: Set<PackedConvolution.Key> = []
    for (key, kernel) in plan.packings where packed.insert(key).inserted {
      floats += PackedConvolution.weightCount(kernel, key)
      floats += PackedConvolution.biasCount(kernel, key)
    }
    return floats * MemoryLayout<Float>.stride
      + plan.spreadCount * MemoryLayout<ck_spread>.stride + plan.scratchBytes * threads
  }
}

/// How pictures of one size are run.
private enum Execution {
  case whole(Plan)
  case banded(BandedExecution)
}

/// A plan that is run in bands, with the two steps that take the picture in and out.
private struct BandedExecution {
  let plan: Plan
  let bands: BandPlan
  let source: SourceStep
  let sink: SinkStep

  /// Plans within `limit` bytes as far as that is possible; nil where a step cannot be run in bands.
  init?(_ plan: Plan, contract: PixelContract, outputSize: PictureSize, limit: Int) {
    self.plan = plan
    source = SourceStep(
      box: .init(), contract: contract, output: plan.input, layout: plan.layout(plan.input))
    sink = SinkStep(
      box: .init(), contract: contract, output: plan.output, layout: plan.layout(plan.output),
      size: outputSize)
    guard let bands = BandPlanner(plan, source: source, sink: sink)?.plan(limit: limit) else { return nil }
    self.bands = bands
  }
}
