/// Tells a normalisation by live statistics from the arithmetic that some exporters make of it: mean, subtract, square,
/// mean, add epsilon, root, divide, and their variants.
///
/// An importer keeps a term for each value that such arithmetic may be about, and asks here what becomes of terms when
/// they are combined. Terms are exact: what is recognised as a norm is one for every input, up to rounding.
public enum DecomposedNorm {
  /// Numbers that belong to a picture `x`, pixel by pixel.
  public enum Picture: Hashable, Sendable {
    /// `x` itself, computed by the graph.
    case value(ValueID)
    /// `x - mean(x)`.
    case centered(ValueID)
    /// `x²`.
    case squares(ValueID)
    /// `(x - mean(x))²`.
    case squaredDistances(ValueID)
    /// `x` times the reciprocal of its deviation.
    case scaled(Reciprocal)
  }

  /// Statistics of a picture `x`: one number a channel.
  public enum Statistic: Hashable, Sendable {
    /// The mean.
    case mean(ValueID)
    /// The square of the mean.
    case squaredMean(ValueID)
    /// The mean of `x²`.
    case meanOfSquares(ValueID)
    /// The population variance, plus epsilon once that was added.
    case variance(ValueID, epsilon: Float)
    /// Its root.
    case deviation(ValueID, epsilon: Float)
    /// The reciprocal of the root, perhaps times gamma.
    case reciprocal(Reciprocal)
    /// The mean times that.
    case scaledMean(Reciprocal)
    /// Beta less the mean times that.
    case shift(Reciprocal, beta: [Float])
    /// Another one times -1: what some exporters write a difference with.
    indirect case negated(Statistic)
  }

  /// `gamma / sqrt(variance(x) + epsilon)`. Factors are carried along as they are, so that an importer may also give a
  /// table of them.
  public struct Reciprocal: Hashable, Sendable {
    /// `x`.
    public var value: ValueID
    /// What keeps the root from zero.
    public var epsilon: Float
    /// One factor, or one a channel; nil is 1.
    public var gamma: [Float]?

    /// Creates a reciprocal.
    public init(value: ValueID, epsilon: Float, gamma: [Float]? = nil) {
      self.value = value
      self.epsilon = epsilon
      self.gamma = gamma
    }
  }

  /// Something that takes part in the arithmetic.
  public enum Term: Hashable, Sendable {
    case picture(Picture)
    case statistic(Statistic)
    /// One number, or one a channel.
    case numbers([Float])
    /// A whole normalisation of `x`: the result is a picture again.
    case norm(Reciprocal, beta: [Float]?)
  }

  /// The mean over the pixels of each channel, or nil if it is no statistic of a norm.
  public static func mean(_ picture: Picture) -> Statistic? {
    switch picture {
    case .value(let value): .mean(value)
    case .squares(let value): .meanOfSquares(value)
    case .squaredDistances(let value): .variance(value, epsilon: 0)
    case .centered, .scaled: nil
    }
  }

  /// The root, or nil.
  public static func squareRoot(_ statistic: Statistic) -> Statistic? {
    if case .variance(let value, let epsilon) = statistic { .deviation(value, epsilon: epsilon) } else { nil }
  }

  /// One divided by it, or nil.
  public static func reciprocal(_ statistic: Statistic) -> Statistic? {
    guard case .deviation(let value, let epsilon) = statistic else { return nil }
    return .reciprocal(Reciprocal(value: value, epsilon: epsilon))
  }

  /// A power, or nil.
  public static func power(_ term: Term, _ exponent: Float) -> Term? {
    switch (term, exponent) {
    case (_, 1): term
    case (_, 2): product(term, term)
    case (.statistic(let it), 0.5): squareRoot(it).map { .statistic($0) }
    case (.statistic(let it), -0.5): squareRoot(it).flatMap(reciprocal).map { .statistic($0) }
    default: nil
    }
  }

  /// A sum, or nil.
  public static func sum(_ left: Term, _ right: Term) -> Term? {
    switch (left, right) {
    // Some operations add an epsilon of their own to what the network has added.
    case (.statistic(.variance(let value, let epsilon)), .numbers(let added)) where added.count == 1:
      added[0] > 0 ? .statistic(.variance(value, epsilon: epsilon + added[0])) : nil
    case (_, .statistic(.negated(let subtrahend))): difference(left, .statistic(subtrahend))
    case (.statistic(.negated(let subtrahend)), _): difference(right, .statistic(subtrahend))
    case (.picture(.scaled(let scaled)), .statistic(.shift(let shifted, let beta))) where scaled == shifted:
      .norm(scaled, beta: beta)
    case (.numbers, .statistic), (.statistic, .picture): sum(right, left)
    default: nil
    }
  }

  /// A difference, or nil.
  public static func difference(_ left: Term, _ right: Term) -> Term? {
    switch (left, right) {
    case (.picture(.value(let value)), .statistic(.mean(let other))) where value == other:
      .picture(.centered(value))
    case (.statistic(.meanOfSquares(let value)), .statistic(.squaredMean(let other))) where value == other:
      .statistic(.variance(value, epsilon: 0))
    case (.numbers(let beta), .statistic(.scaledMean(let scaled))): .statistic(.shift(scaled, beta: beta))
    case (.picture(.scaled(let scaled)), .statistic(.scaledMean(let other))) where scaled == other:
      .norm(scaled, beta: nil)
    default: nil
    }
  }

  /// A product, or nil.
  public static func product(_ left: Term, _ right: Term) -> Term? {
    switch (left, right) {
    case (.picture(.value(let value)), .picture(.value(let other))) where value == other:
      .picture(.squares(value))
    case (.picture(.centered(let value)), .picture(.centered(let other))) where value == other:
      .picture(.squaredDistances(value))
    case (.statistic(.mean(let value)), .statistic(.mean(let other))) where value == other:
      .statistic(.squaredMean(value))
    case (.statistic(.reciprocal(let scale)), .numbers(let gamma)) where scale.gamma == nil:
      .statistic(.reciprocal(Reciprocal(value: scale.value, epsilon: scale.epsilon, gamma: gamma)))
    case (.picture(.centered(let value)), .statistic(.reciprocal(let scale))) where scale.value == value:
      .norm(scale, beta: nil)
    case (.picture(.value(let value)), .statistic(.reciprocal(let scale))) where scale.value == value:
      .picture(.scaled(scale))
    case (.statistic(.mean(let value)), .statistic(.reciprocal(let scale))) where scale.value == value:
      .statistic(.scaledMean(scale))
    case (.statistic(.negated(let statistic)), .numbers([-1])): .statistic(statistic)
    case (.statistic(let statistic), .numbers([-1])): .statistic(.negated(statistic))
    case (.numbers, .statistic), (.statistic, .picture), (.statistic(.reciprocal), .statistic(.mean)):
      product(right, left)
    default: nil
    }
  }

  /// A quotient, or nil.
  public static func quotient(_ left: Term, _ right: Term) -> Term? {
    guard case .statistic(let divisor) = right, let inverse = reciprocal(divisor) else { return nil }
    if case .numbers([1]) = left { return .statistic(inverse) }
    return product(left, .statistic(inverse))
  }
}
