public import Diagnostics
import Imaging
public import ModelGraph

/// How long a network takes, and how much memory the process has needed.
public struct BenchmarkResult: Hashable, Sendable {
  /// The size of the picture.
  public var size: PictureSize
  /// The seconds that each run took, in order.
  public var seconds: [Double]
  /// The most memory that the process has had in use so far, in bytes.
  public var peakBytes: Int
  /// The number of threads.
  public var threads: Int

  /// The middle one of the times, or the mean of the two in the middle.
  public var medianSeconds: Double {
    let sorted = seconds.sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

extension Engine {
  /// Times runs from a float32 RGB picture in memory to a float32 picture in memory, with weights packed and buffers
  /// warm: one run more than asked for is made before and not counted.
  /// - Throws: `.badInput` when the network cannot take the size, or the machine has not the memory.
  public func benchmark(size: PictureSize, runs: Int) throws(StyleModelError) -> BenchmarkResult {
    _ = try peakMemoryEstimate(for: size)  // refuses before the picture is made
    let picture = Picture.synthetic(size)
    _ = try run(picture)
    var seconds: [Double] = []
    for _ in 0..<max(1, runs) {
      let start = ContinuousClock.now
      _ = try run(picture)
      seconds.append((ContinuousClock.now - start) / .seconds(1))
    }
    return BenchmarkResult(
      size: size, seconds: seconds, peakBytes: ProcessMemory.peak, threads: threads)
  }
}

extension Picture {
  /// A picture with some structure everywhere, the same on every machine.
  static func synthetic(_ size: PictureSize) -> Picture {
    var state: UInt32 = 1
    let samples = (0..<size.width * size.height * 3).map { index -> Float in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(index % 251) * 0.5 + Float(state >> 24) * 0.5
    }
    return Picture(width: size.width, height: size.height, samples: samples)
  }
}
