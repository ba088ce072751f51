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
  private let state = Mutex(State())

  private struct State {
    var machine: Machine?
    var size: PictureSize?
    var weights: [PackedConvolution.Key: PackedConvolution] = [:]
  }

  /// Creates an engine; nothing is computed yet.
  /// - Parameters:
  ///   - graph: the network.
  ///   - threads: how many threads compute, 1 to 256; nil is one for each core.
  ///   - instructionSet: which kernels are used.
  /// - Throws: `.badInput` when the graph does not verify.
  public init(
    _ graph: Graph, threads: Int? = nil, instructionSet: InstructionSet = .best
  ) throws(StyleModelError) {
    try graph.verify()
    self.graph = graph
    self.threads = min(max(1, threads ?? Workers.allCores), Workers.greatestCount)
    self.instructionSet = instructionSet
  }

  /// The network's answer to a picture: `output * outputScale + outputBias` in RGB, neither clamped nor rounded, and
  /// not necessarily finite. A few rows and columns more than the picture has, which strides have brought about, are
  /// cut off at the bottom and the right; a network that enlarges by design keeps its size.
  /// - Throws: `.badInput` when the network cannot take the picture's size, naming the operation that cannot and the
  ///   smallest size that can.
  public func run(_ picture: Picture) throws(StyleModelError) -> Picture {
    let size = PictureSize(width: picture.width, height: picture.height)
    let wanted = try outputSize(for: size)
    return try state.withLock { (state) throws(StyleModelError) -> Picture in
      let machine = try Self.machine(for: size, of: self, &state)
      graph.contract.write(picture, to: machine.pointer(machine.plan.input))
      machine.run()
      return graph.contract.read(
        machine.pointer(machine.plan.output), machine.plan.layout(machine.plan.output), croppedTo: wanted)
    }
  }

  /// The bytes that a run at this size takes at its peak: features, scratch, weights, and the two pictures.
  /// - Throws: `.badInput` as `run` does.
  public func peakMemoryEstimate(for size: PictureSize) throws(StyleModelError) -> Int {
    let plan = try plan(for: size)
    var floats = plan.arenaFloats + plan.zeroCount
    var packed: Set<PackedConvolution.Key> = []
    for (key, kernel) in plan.packings where packed.insert(key).inserted {
      floats += PackedConvolution.weightCount(kernel, key)
      floats += PackedConvolution.biasCount(kernel, key)
    }
    let layouts = [plan.layout(plan.input), plan.layout(plan.output)]
    let pictures = layouts.reduce(0) { $0 + 3 * $1.pixels }
    let stored = graph.constants.values.reduce(0) { $0 + $1.tensor.bytes.count }
    return (floats + pictures) * MemoryLayout<Float>.stride + stored + plan.spreadCount
      * MemoryLayout<ck_spread>.stride
      + plan.scratchBytes * threads
  }

  /// The size of the picture that `run` gives for one of `size`.
  /// - Throws: `.badInput` as `run` does.
  public func outputSize(for size: PictureSize) throws(StyleModelError) -> PictureSize {
    let shapes = try shapes(for: size)
    guard let output = shapes[graph.output] else { return size }
    let (scale, reduction) = graph.scales()
    func extent(_ given: Int, _ computed: Int, _ scale: Double, _ reduction: Double) -> Int {
      let isOnlyRoundedUp = scale == 1 && computed > given && Double(computed - given) < reduction
      return isOnlyRoundedUp ? given : computed
    }
    return PictureSize(
      width: extent(size.width, output[3], scale.horizontal, reduction.horizontal),
      height: extent(size.height, output[2], scale.vertical, reduction.vertical))
  }

  private static func machine(
    for size: PictureSize, of engine: Engine, _ state: inout State
  ) throws(StyleModelError) -> Machine {
    if state.size == size, let machine = state.machine { return machine }
    state.machine = nil  // its memory is free before the next one's is taken
    let plan = try engine.plan(for: size)
    for (key, kernel) in plan.packings where state.weights[key] == nil {
      state.weights[key] = try PackedConvolution(kernel, key)
    }
    let machine = try Machine(
      plan, kernels: engine.instructionSet.kernels, workers: Workers(count: engine.threads),
      weights: state.weights)
    state.machine = machine
    state.size = size
    return machine
  }

  private func plan(for size: PictureSize) throws(StyleModelError) -> Plan {
    _ = try shapes(for: size)
    return try Plan(graph, size: size)
  }
}
