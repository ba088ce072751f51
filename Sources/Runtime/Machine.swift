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
  private let scratch: [AlignedMemory<UInt8>]

  /// Allocates what the plan needs.
  /// - Throws: `.badInput` when there is not enough memory.
  init(
    _ plan: Plan, kernels: ck_instructions, workers: Workers,
    weights: [PackedConvolution.Key: PackedConvolution]
  ) throws(StyleModelError) {
    self.plan = plan
    self.kernels = kernels
    self.workers = workers
    self.weights = weights
    zeros = try AlignedMemory(zeros: plan.zeroCount)
    spreads = try AlignedMemory(zeros: plan.spreadCount)
    arena = try AlignedMemory(zeros: plan.arenaFloats)
    var scratch: [AlignedMemory<UInt8>] = []
    for _ in 0..<workers.count { scratch.append(try AlignedMemory(zeros: plan.scratchBytes)) }
    self.scratch = scratch
  }

  /// Where a buffer lies.
  func pointer(_ buffer: BufferID) -> UnsafeMutablePointer<Float> { arena.base + plan.offsets[buffer.index] }

  /// The scratch memory of a worker.
  func scratch(_ worker: Int) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(scratch[worker].base) }

  /// Overwrites all buffers, so that tests see what a step leaves unwritten.
  func fillArena(with value: Float) { arena.base.update(repeating: value, count: arena.count) }

  /// Runs all steps.
  /// - Parameter afterSteps: is told after each step how many have run.
  func run(afterSteps: (Int) -> Void = { _ in }) {
    for (index, step) in plan.steps.enumerated() {
      step.run(on: self)
      afterSteps(index + 1)
    }
  }
}
