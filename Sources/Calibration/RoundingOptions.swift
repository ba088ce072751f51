/// How weights are rounded with errors made up for.
public struct RoundingOptions: Hashable, Sendable {
  /// The share of its mean that is added to the diagonal of the inputs' moments.
  public var inputDamping: Double
  /// The share of its mean that is added to the diagonal of the gradients' moments.
  public var gradientDamping: Double
  /// How much of a step is rounded towards zero where bits do not count.
  public var deadZone: Double
  /// Whether integers may depend on those before, which errs less at the same number of bits; for entropy coding only.
  public var isDependent: Bool
  /// What a bit is worth: 1 is what the slope of rate against distortion is worth at high rates; 0 does not count bits.
  public var bitWeight: Double

  /// Creates options.
  public init(
    inputDamping: Double = 0.03, gradientDamping: Double = 0.1, deadZone: Double = 0.05,
    isDependent: Bool = true, bitWeight: Double = 0.8
  ) {
    self.inputDamping = inputDamping
    self.gradientDamping = gradientDamping
    self.deadZone = deadZone
    self.isDependent = isDependent
    self.bitWeight = bitWeight
  }
}
