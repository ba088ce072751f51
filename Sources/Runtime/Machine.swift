import CKernels
import Diagnostics

/// What a plan runs in: the memory that all of its buffers share, scratch memory for each worker, and the weights.
final class Machine {
  let plan: Plan
  let kernels: ck_instructions
  let workers: Workers
  let weights: [PackedConvolution.Key: PackedConvolution]
  /// Zeros, as many as any kernel reads where a picture has been left.
  let zeros: AlignedMemory<Float>
  /// The spread of every channel in every tile of the step that is being measured; in the end, of the whole map in
  /// the first tile's place.
  let spreads: AlignedMemory<ck_spread>
  private let arena: AlignedMemory<Float>
  /// Where the first row of each buffer lies, or would lie: of a map that is there row by row, only some rows exist.
  private(set) var bases: [UnsafeMutablePointer<Float>]
  private let scratch: [AlignedMemory<UInt8>]

  /// Allocates what the plan needs.
  /// - Parameter placement: where the buffers lie, if not where the plan has them.
  /// - Throws: `.badInput` when there is not enough memory.
  init(
    _ plan: Plan, kernels: ck_instructions, workers: Workers,
    weights: [PackedConvolution.Key: PackedConvolution],
    placement: (offsets: [Int], floats: Int)? = nil
  ) throws(StyleModelError) {
    self.plan = plan
    self.kernels = kernels
    self.workers = workers
    self.weights = weights
    zeros = try AlignedMemory(zeros: plan.zeroCount)
    spreads = try AlignedMemory(zeros: plan.spreadCount)
    arena = try AlignedMemory(zeros: placement?.floats ?? plan.arenaFloats)
    bases = (placement?.offsets ?? plan.offsets).map { [arena] in arena.base + $0 }
    var scratch: [AlignedMemory<UInt8>] = []
    for _ in 0..<workers.count { scratch.append(try AlignedMemory(zeros: plan.scratchBytes)) }
    self.scratch = scratch
  }

  /// Where a buffer lies.
  func pointer(_ buffer: BufferID) -> UnsafeMutablePointer<Float> { bases[buffer.index] }

  /// Says where the first row of a buffer would lie.
  func place(_ buffer: BufferID, at base: UnsafeMutablePointer<Float>) { bases[buffer.index] = base }

  /// The scratch memory of a worker.
  func scratch(_ worker: Int) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(scratch[worker].base) }

  /// Overwrites all buffers, so that tests see what a step leaves unwritten.
  func fillArena(with value: Float) { arena.base.update(repeating: value, count: arena.count) }

  /// Runs some of the steps.
  func run(steps: Range<Int>) { for index in steps { plan.steps[index].run(on: self) } }

  /// Runs all steps.
  /// - Parameters:
  ///   - progress: is told the share that is done, 0…1, before the first step and after each.
  ///   - afterSteps: is told after each step how many have run.
  func run(progress: (Double) -> Void = { _ in }, afterSteps: (Int) -> Void = { _ in }) {
    let work = plan.steps.map(\.workEstimate)
    let total = work.reduce(0, +)
    var done = 0.0
    progress(0)
    for (index, step) in plan.steps.enumerated() {
      step.run(on: self)
      done += work[index]
      progress(done / total)
      afterSteps(index + 1)
    }
  }
}
