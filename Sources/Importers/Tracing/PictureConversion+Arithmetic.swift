package import Diagnostics
package import ModelGraph
import Tensors

extension PictureConversion {
  /// Two values combined number by number, with NumPy's broadcasting; one side at least is computed from the picture.
  /// Statistics are followed until they are a norm again.
  package mutating func combine(
    _ function: ArithmeticFunction, _ left: TracedValue, _ right: TracedValue
  ) throws(StyleModelError) -> TracedValue {
    switch (left, right) {
    case (.picture(let picture), .numbers(let numbers)):
      return try combine(
        function, picture, try channelNumbers(numbers, picture), numbersComeFirst: false)
    case (.numbers(let numbers), .picture(let picture)):
      return try combine(function, picture, try channelNumbers(numbers, picture), numbersComeFirst: true)
    case (.picture(let a), .picture(let b)): return try combine(function, a, b)
    case (.statistic(let statistic), .numbers(let numbers)):
      return try combine(
        function, .statistic(statistic.term), .numbers(try channelNumbers(numbers, statistic)),
        statistic: statistic)
    case (.numbers(let numbers), .statistic(let statistic)):
      return try combine(
        function, .numbers(try channelNumbers(numbers, statistic)), .statistic(statistic.term),
        statistic: statistic)
    case (.statistic(let a), .statistic(let b)):
      guard a.shape == b.shape else { throw notUnderstoodNorm() }
      return try combine(function, .statistic(a.term), .statistic(b.term), statistic: a)
    case (.picture(let picture), .statistic(let statistic)):
      try requireAlignment(statistic, picture)
      return try combine(function, .picture(picture.term), .statistic(statistic.term), picture: picture)
    case (.statistic(let statistic), .picture(let picture)):
      try requireAlignment(statistic, picture)
      return try combine(function, .statistic(statistic.term), .picture(picture.term), picture: picture)
    case (.numbers, .numbers):
      throw StyleModelError(.internalFault, "known numbers are combined before pictures are")
    }
  }

  /// What the rules of norms make of two terms.
  package mutating func combine(
    _ function: ArithmeticFunction, _ left: DecomposedNorm.Term, _ right: DecomposedNorm.Term,
    picture: PictureValue? = nil, statistic: StatisticValue? = nil
  ) throws(StyleModelError) -> TracedValue {
    let term: DecomposedNorm.Term? =
      switch function {
      case .add: DecomposedNorm.sum(left, right)
      case .subtract: DecomposedNorm.difference(left, right)
      case .multiply: DecomposedNorm.product(left, right)
      case .divide: DecomposedNorm.quotient(left, right)
      case .power:
        if case .numbers(let numbers) = right, numbers.count == 1 {
          DecomposedNorm.power(left, numbers[0])
        } else {
          nil
        }
      case .maximum, .minimum: nil
      }
    switch term {
    case .picture(let term)?:
      guard var result = picture else { throw notUnderstoodNorm() }
      result.term = term
      return .picture(result)
    case .statistic(let term)?:
      guard var result = statistic else { throw notUnderstoodNorm() }
      result.term = term
      return .statistic(result)
    case .norm(let scale, let beta)?:
      guard let picture else { throw notUnderstoodNorm() }
      return .picture(try normalized(scale, beta, like: picture))
    case .numbers?, nil: throw notUnderstoodNorm()
    }
  }

  /// The norm that a file's arithmetic has come to.
  private mutating func normalized(
    _ scale: DecomposedNorm.Reciprocal, _ beta: [Float]?, like picture: PictureValue
  ) throws(StyleModelError) -> PictureValue {
    let channels = try probes.channels(scale.value)
    let tableSize = (styleCount ?? 0) * channels
    if tableSize > 0, [scale.gamma?.count, beta?.count].contains(tableSize),
      tableSize != channels || styleCount == 1
    {
      let styles = styleCount ?? 1
      func table(_ numbers: [Float]?, _ standard: Float) -> [Float] {
        let row = numbers ?? [standard]
        if row.count == tableSize { return row }
        let whole = row.count == channels ? row : [Float](repeating: row[0], count: channels)
        return (0..<styles).flatMap { _ in whole }
      }
      try spend(2 * tableSize)
      return try emitConditionalNorm(
        scale.value, gamma: table(scale.gamma, 1), beta: table(beta, 0), epsilon: scale.epsilon,
        channels: channels, like: picture)
    }
    var gamma: ValueID?
    if let factors = scale.gamma { gamma = try constantVector("gamma", factors, channels) }
    var summands: ValueID?
    if let beta { summands = try constantVector("beta", beta, channels) }
    return try emitPicture(
      .instanceNorm(InstanceNorm(input: scale.value, gamma: gamma, beta: summands, epsilon: scale.epsilon)),
      like: picture)
  }

  /// A norm whose factors and summands are tables `[styles, channels]`.
  package mutating func emitConditionalNorm(
    _ value: ValueID, gamma: [Float], beta: [Float], epsilon: Float, channels: Int, like picture: PictureValue
  ) throws(StyleModelError) -> PictureValue {
    let shape = Shape([gamma.count / channels, channels])
    let factors = probes.constant("\(label).gamma", StoredTensor(shape: shape, floats: gamma))
    let summands = probes.constant("\(label).beta", StoredTensor(shape: shape, floats: beta))
    return try emitPicture(
      .conditionalInstanceNorm(
        ConditionalInstanceNorm(input: value, gamma: factors, beta: summands, epsilon: epsilon)),
      like: picture)
  }

  /// The root of a statistic.
  package func squareRoot(_ statistic: StatisticValue) throws(StyleModelError) -> StatisticValue {
    guard let term = DecomposedNorm.squareRoot(statistic.term) else { throw notUnderstoodNorm() }
    return StatisticValue(term: term, shape: statistic.shape, channels: statistic.channels)
  }

  /// One divided by a statistic.
  package func reciprocal(_ statistic: StatisticValue) throws(StyleModelError) -> StatisticValue {
    guard let term = DecomposedNorm.reciprocal(statistic.term) else { throw notUnderstoodNorm() }
    return StatisticValue(term: term, shape: statistic.shape, channels: statistic.channels)
  }

  /// The mean over some axes of what is shown, which must be each channel's pixels.
  package func mean(
    _ picture: PictureValue, axes: [Int], keepsAxes: Bool
  ) throws(StyleModelError) -> StatisticValue {
    let source = picture.term.source
    for probe in probes.alive {
      guard picture.arrangements[probe].areSpace(axes, try probes.extents(source, probe)) else {
        throw StyleModelError(
          .badInput,
          "averages axes \(axes) of \(picture.arrangements[probe].shape), not the pixels of each channel",
          remedy: "only what belongs to an instance norm is understood")
      }
    }
    guard let term = DecomposedNorm.mean(picture.term) else { throw notUnderstoodNorm() }
    let full = picture.arrangements[probes.alive[0]].shape
    let shape =
      keepsAxes
      ? full.indices.map { axes.contains($0) ? 1 : full[$0] }
      : full.indices.filter { !axes.contains($0) }.map { full[$0] }
    return StatisticValue(term: term, shape: shape, channels: try probes.channels(source))
  }

  /// Checks that a statistic's channels fall on those of the picture it is combined with.
  private func requireAlignment(_ statistic: StatisticValue, _ picture: PictureValue) throws(StyleModelError)
  {
    let marks = Numbers(shape: statistic.shape, .integers(Array(0..<statistic.channels)))
    guard statistic.shape.reduce(1, *) == statistic.channels else { throw notUnderstoodNorm() }
    _ = try channelNumbers(marks, picture)
  }

  // MARK: Numbers

  /// Numbers that are broadcast to a picture: one, or one a channel.
  package func channelNumbers(_ numbers: Numbers, _ picture: PictureValue) throws(StyleModelError) -> [Float]
  {
    if numbers.count == 1 { return numbers.floats }
    let value = picture.term.source
    let channels = try probes.channels(value)
    for probe in probes.alive {
      let arrangement = picture.arrangements[probe]
      guard let axis = arrangement.channelAxis(try probes.extents(value, probe)),
        isVector(numbers.shape, along: axis, of: arrangement.axes.count, count: channels)
      else {
        throw StyleModelError(
          .badInput,
          "combines a picture of shape \(arrangement.shape) with a constant of shape \(numbers.shape)",
          remedy: "one number, or one a channel, is understood")
      }
    }
    return numbers.floats
  }

  /// Numbers that are broadcast to a statistic: one, or one a channel.
  private func channelNumbers(_ numbers: Numbers, _ statistic: StatisticValue) throws(StyleModelError)
    -> [Float]
  {
    if numbers.count == 1 { return numbers.floats }
    guard let axis = statistic.shape.firstIndex(of: statistic.channels),
      isVector(numbers.shape, along: axis, of: statistic.shape.count, count: statistic.channels)
    else { throw notUnderstoodNorm() }
    return numbers.floats
  }

  /// Whether broadcasting puts `shape` along one axis alone.
  private func isVector(_ shape: [Int], along axis: Int, of rank: Int, count: Int) -> Bool {
    let padded = [Int](repeating: 1, count: max(0, rank - shape.count)) + shape
    let extra = padded.count - rank
    return padded.indices.allSatisfy { padded[$0] == ($0 == axis + extra ? count : 1) }
  }

  private mutating func combine(
    _ function: ArithmeticFunction, _ picture: PictureValue, _ numbers: [Float], numbersComeFirst: Bool
  ) throws(StyleModelError) -> TracedValue {
    switch picture.term {
    case .value: break
    default:
      let terms: (DecomposedNorm.Term, DecomposedNorm.Term) = (.picture(picture.term), .numbers(numbers))
      return try combine(
        function, numbersComeFirst ? terms.1 : terms.0, numbersComeFirst ? terms.0 : terms.1,
        picture: picture)
    }
    switch (function, numbersComeFirst) {
    case (.add, _): return .picture(try scaled(picture, factors: [1], summands: numbers))
    case (.subtract, false):
      return .picture(try scaled(picture, factors: [1], summands: numbers.map { -$0 }))
    case (.subtract, true): return .picture(try scaled(picture, factors: [-1], summands: numbers))
    case (.multiply, _): return .picture(try scaled(picture, factors: numbers, summands: [0]))
    case (.divide, false):
      return .picture(try scaled(picture, factors: numbers.map { 1 / $0 }, summands: [0]))
    case (.power, false) where numbers == [1]: return .picture(picture)
    case (.power, false) where numbers == [2]:
      return try combine(.multiply, .picture(picture.term), .picture(picture.term), picture: picture)
    case (.maximum, _) where numbers.count == 1:
      return .picture(try clamped(picture, lower: numbers[0], upper: nil))
    case (.minimum, _) where numbers.count == 1:
      return .picture(try clamped(picture, lower: nil, upper: numbers[0]))
    default:
      throw StyleModelError(.badInput, "combines a picture and a constant in a way that is not understood")
    }
  }

  private mutating func combine(
    _ function: ArithmeticFunction, _ left: PictureValue, _ right: PictureValue
  ) throws(StyleModelError) -> TracedValue {
    guard probes.alive.allSatisfy({ left.arrangements[$0].shape == right.arrangements[$0].shape }) else {
      throw StyleModelError(
        .badInput,
        "combines pictures of shapes \(left.arrangements[probes.alive[0]].shape) and \(right.arrangements[probes.alive[0]].shape)"
      )
    }
    if function == .multiply, left.term == right.term,
      let square = DecomposedNorm.product(.picture(left.term), .picture(right.term)),
      case .picture(let term) = square
    {
      return .picture(PictureValue(term: term, arrangements: left.arrangements))
    }
    let binary: Binary.Function
    switch function {
    case .add: binary = .add
    case .subtract: binary = .subtract
    case .multiply: binary = .multiply
    default: throw StyleModelError(.badInput, "combines two pictures in a way that is not understood")
    }
    let a = try computed(left.term)
    let b = try computed(right.term)
    guard probes.alive.allSatisfy({ left.arrangements[$0] == right.arrangements[$0] }) else {
      throw StyleModelError(.badInput, "combines two pictures in different orders of their axes")
    }
    return .picture(try emitPicture(.binary(Binary(binary, a, b)), like: left))
  }

  /// A picture times factors plus summands: one each, or one a channel.
  package mutating func scaled(
    _ picture: PictureValue, factors: [Float], summands: [Float]
  ) throws(StyleModelError) -> PictureValue {
    guard (factors + summands).allSatisfy(\.isFinite) else {
      throw StyleModelError(.badInput, "scales a picture by a number that is not finite")
    }
    let value = try computed(picture.term)
    if factors.count == 1, summands.count == 1 {
      return try emitPicture(
        .activation(Activation(input: value, function: .linear(scale: factors[0], bias: summands[0]))),
        like: picture)
    }
    // A norm with mean 0, variance 1 and no epsilon is a scale and a bias a channel; the passes fold it.
    let channels = try probes.channels(value)
    let norm = BatchNorm(
      input: value, mean: try constantVector("mean", [0], channels),
      variance: try constantVector("variance", [1], channels),
      gamma: factors == [1] ? nil : try constantVector("gamma", factors, channels),
      beta: summands == [0] ? nil : try constantVector("beta", summands, channels), epsilon: 0)
    return try emitPicture(.batchNorm(norm), like: picture)
  }

  /// A picture between two bounds, either of which may be missing.
  package mutating func clamped(
    _ picture: PictureValue, lower: Float?, upper: Float?
  ) throws(StyleModelError) -> PictureValue {
    let value = try computed(picture.term)
    let greatest = Float.greatestFiniteMagnitude
    let low = max(lower ?? -greatest, -greatest)
    let high = min(upper ?? greatest, greatest)
    if low == -greatest, high == greatest { return picture }
    let function: Activation.Function = low == 0 && high == greatest ? .relu : .clamp(lower: low, upper: high)
    return try emitPicture(.activation(Activation(input: value, function: function)), like: picture)
  }

  /// `max(x, 0) + slope * min(x, 0)`, with one slope or one a channel.
  package mutating func leakyRectified(
    _ picture: PictureValue, slopes: [Float]
  ) throws(StyleModelError) -> PictureValue {
    let value = try computed(picture.term)
    if slopes.count == 1 {
      return try emitPicture(
        .activation(Activation(input: value, function: .leakyReLU(slope: slopes[0]))), like: picture)
    }
    let positive = try probes.emit(.activation(Activation(input: value, function: .relu)))
    let negative = PictureValue(
      term: .value(try probes.emit(.binary(Binary(.subtract, value, positive)))),
      arrangements: picture.arrangements)
    let sloped = try scaled(negative, factors: slopes, summands: [0])
    return try emitPicture(.binary(Binary(.add, positive, try computed(sloped.term))), like: picture)
  }
}
