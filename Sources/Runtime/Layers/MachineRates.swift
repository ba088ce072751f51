import CKernels
import Diagnostics

/// What a number of threads of this machine can do at best, all together.
public struct MachineRates: Hashable, Sendable {
  /// Floating-point operations in a second, a multiplication and an addition counted as two, from registers.
  public var operationsPerSecond: Double
  /// Bytes in a second from and to memory, as many read as written.
  public var bytesPerSecond: Double

  /// Creates rates.
  public init(operationsPerSecond: Double, bytesPerSecond: Double) {
    self.operationsPerSecond = operationsPerSecond
    self.bytesPerSecond = bytesPerSecond
  }

  /// The least seconds for some work: either the arithmetic or the memory is the bottleneck.
  public func leastSeconds(operations: Double, bytes: Double) -> Double {
    max(operations / operationsPerSecond, bytes / bytesPerSecond)
  }

  /// Measures the rates: the best of a few short tries, since whatever else runs only ever slows them down.
  /// - Throws: `.badInput` when there is no memory for it.
  static func measured(
    threads: Int, instructionSet: InstructionSet, tries: Int = 8
  ) throws(StyleModelError) -> MachineRates {
    let workers = Workers(count: threads)
    let kernels = instructionSet.kernels
    let rounds = 1 << 17
    // Far more than caches hold, all threads' parts together.
    let floats = (1 << 24) / threads / 8 * 8
    let memory = try AlignedMemory<Float>(zeros: floats * threads)
    var rates = MachineRates(operationsPerSecond: 0, bytesPerSecond: 0)
    for _ in 0..<tries {
      let arithmetic = seconds {
        workers.forEach(threads) { _, _ in _ = ck_multiply_add_rounds(kernels, rounds) }
      }
      let operations = Double(threads * rounds) * Double(CK_ROUND_OPERATIONS)
      rates.operationsPerSecond = max(rates.operationsPerSecond, operations / arithmetic)
      let streaming = seconds {
        workers.forEach(threads) { part, _ in
          ck_stream(kernels, memory.base + part * floats, floats)
        }
      }
      rates.bytesPerSecond = max(rates.bytesPerSecond, Double(8 * threads * floats) / streaming)
    }
    return rates
  }

  private static func seconds(_ work: () -> Void) -> Double {
    let start = ContinuousClock.now
    work()
    return (ContinuousClock.now - start) / .seconds(1)
  }
}
