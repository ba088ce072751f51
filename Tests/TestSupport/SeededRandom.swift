public import Tensors

/// The same numbers on every machine and every run: SplitMix64.
public struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Starts a sequence.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }

  /// Floats, evenly spread over a range.
  public mutating func floats(_ count: Int, in range: ClosedRange<Float> = -1...1) -> [Float] {
    (0..<count).map { _ in Float.random(in: range, using: &self) }
  }

  /// A float32 tensor, evenly spread over a range.
  public mutating func tensor(_ shape: Shape, in range: ClosedRange<Float> = -1...1) -> StoredTensor {
    StoredTensor(shape: shape, floats: floats(shape.count, in: range))
  }
}
