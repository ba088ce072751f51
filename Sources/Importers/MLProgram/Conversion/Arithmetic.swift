import Diagnostics
import ModelGraph
import Tensors

extension ProgramConversion {
  /// Arithmetic of which one side at least is computed from the picture, and functions of one value.
  mutating func convertArithmetic() throws(StyleModelError) -> ProgramTerm {
    guard let left = try argument("x") else { throw StyleModelError(.badInput, "lacks 'x'") }
    switch operation.type {
    case "square": return try combined(left, left, "mul")
    case "sqrt", "rsqrt", "inverse": return try function(left)
    default: break
    }
    guard let right = try argument("y") else { throw StyleModelError(.badInput, "lacks 'y'") }
    return try combined(left, right, operation.type)
  }

  private mutating func combined(
    _ left: ProgramTerm, _ right: ProgramTerm, _ type: String
  ) throws(StyleModelError) -> ProgramTerm {
    switch (left, right) {
    case (.picture(let picture), .known(let value)):
      return try combine(picture, try numbers(value, along: picture.axes, channels(picture)), type, false)
    case (.known(let value), .picture(let picture)):
      return try combine(picture, try numbers(value, along: picture.axes, channels(picture)), type, true)
    case (.picture(let a), .picture(let b)): return try combine(a, b, type)
    case (.statistic(let statistic), .known(let value)):
      let list = try numbers(value, along: statistic.axes, statistic.channels)
      return try rule(.statistic(statistic.term), .numbers(list), type, statistic: statistic)
    case (.known(let value), .statistic(let statistic)):
      let list = try numbers(value, along: statistic.axes, statistic.channels)
      return try rule(.numbers(list), .statistic(statistic.term), type, statistic: statistic)
    case (.statistic(let a), .statistic(let b)):
      guard a.axes == b.axes else { throw notUnderstoodNorm() }
      return try rule(.statistic(a.term), .statistic(b.term), type, statistic: a)
    case (.picture(let picture), .statistic(let statistic)):
      try requireAlignment(statistic, picture)
      return try rule(.picture(picture.term), .statistic(statistic.term), type, picture: picture)
    case (.statistic(let statistic), .picture(let picture)):
      try requireAlignment(statistic, picture)
      return try rule(.statistic(statistic.term), .picture(picture.term), type, picture: picture)
    default: throw StyleModelError(.badInput, "combines values that are not understood")
    }
  }

  /// `sqrt`, `rsqrt` and `inverse` of a statistic. The latter two add an epsilon of their own.
  private mutating func function(_ term: ProgramTerm) throws(StyleModelError) -> ProgramTerm {
    guard case .statistic(var statistic) = term else {
      throw StyleModelError(
        .badInput, "works on a picture, which is understood only as part of an instance norm")
    }
    var result: DecomposedNorm.Statistic?
    switch operation.type {
    case "sqrt": result = DecomposedNorm.squareRoot(statistic.term)
    case "rsqrt":
      let added = try number("epsilon", default: 1e-12)
      if case .variance(let value, let epsilon) = statistic.term, epsilon + added > 0 {
        result = DecomposedNorm.squareRoot(.variance(value, epsilon: epsilon + added))
          .flatMap(DecomposedNorm.reciprocal)
      }
    default:
      // What is added to a deviation is no part of a norm; only so little of it is that no picture shows it.
      if try number("epsilon", default: 1e-4) <= 1e-8 { result = DecomposedNorm.reciprocal(statistic.term) }
    }
    guard let result else { throw notUnderstoodNorm() }
    statistic.term = result
    return .statistic(statistic)
  }

  // MARK: Norms taken apart

  /// What the rules of norms make of two terms.
  private mutating func rule(
    _ left: DecomposedNorm.Term, _ right: DecomposedNorm.Term, _ type: String,
    picture: FlowingPicture? = nil, statistic: FlowingStatistic? = nil
  ) throws(StyleModelError) -> ProgramTerm {
    let term: DecomposedNorm.Term? =
      switch type {
      case "add": DecomposedNorm.sum(left, right)
      case "sub": DecomposedNorm.difference(left, right)
      case "mul": DecomposedNorm.product(left, right)
      case "real_div": DecomposedNorm.quotient(left, right)
      case "pow":
        if case .numbers(let numbers) = right, numbers.count == 1 {
          DecomposedNorm.power(left, numbers[0])
        } else {
          nil
        }
      default: nil
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
      let channels = try channels(picture)
      var gamma: ValueID?
      if let factors = scale.gamma { gamma = try constantVector("gamma", factors, channels) }
      var summands: ValueID?
      if let beta { summands = try constantVector("beta", beta, channels) }
      return try emitted(
        .instanceNorm(
          InstanceNorm(input: scale.value, gamma: gamma, beta: summands, epsilon: scale.epsilon)),
        like: picture)
    case .numbers?, nil: throw notUnderstoodNorm()
    }
  }

  /// Checks that a statistic's channels fall on those of the picture it is combined with.
  private func requireAlignment(
    _ statistic: FlowingStatistic, _ picture: FlowingPicture
  ) throws(StyleModelError) {
    guard let mine = statistic.axes.firstIndex(of: .channel),
      let other = picture.axes.firstIndex(of: .channel),
      statistic.axes.count - mine == picture.axes.count - other
    else { throw notUnderstoodNorm() }
  }

  // MARK: Numbers

  /// Numbers that are broadcast along axes of which one may be that of the channels: one, or one a channel.
  private func numbers(
    _ value: KnownValue, along axes: [PictureAxis], _ channels: Int
  ) throws(StyleModelError) -> [Float] {
    let shape = value.shape
    if shape.count == 1 { return try value.stored().floats() }
    guard let axis = axes.firstIndex(of: .channel), shape.rank <= axes.count, shape.count == channels,
      case let fromEnd = axes.count - axis, fromEnd <= shape.rank, shape[shape.rank - fromEnd] == channels
    else {
      throw StyleModelError(
        .badInput, "combines a picture with a constant of shape \(shape)",
        remedy: "one number, or one a channel, is understood")
    }
    return try value.stored().floats()
  }

  private mutating func combine(
    _ picture: FlowingPicture, _ numbers: [Float], _ type: String, _ numbersComeFirst: Bool
  ) throws(StyleModelError) -> ProgramTerm {
    guard case .value = picture.term else {
      let terms: (DecomposedNorm.Term, DecomposedNorm.Term) = (.picture(picture.term), .numbers(numbers))
      return try rule(
        numbersComeFirst ? terms.1 : terms.0, numbersComeFirst ? terms.0 : terms.1, type, picture: picture)
    }
    switch (type, numbersComeFirst) {
    case ("add", _): return try scaled(picture, factors: [1], summands: numbers)
    case ("sub", false): return try scaled(picture, factors: [1], summands: numbers.map { -$0 })
    case ("sub", true): return try scaled(picture, factors: [-1], summands: numbers)
    case ("mul", _): return try scaled(picture, factors: numbers, summands: [0])
    case ("real_div", false): return try scaled(picture, factors: numbers.map { 1 / $0 }, summands: [0])
    case ("pow", false) where numbers == [1]: return .picture(picture)
    case ("pow", false) where numbers == [2]:
      return try rule(.picture(picture.term), .picture(picture.term), "mul", picture: picture)
    case ("maximum", _) where numbers.count == 1:
      return try clamped(picture, lower: numbers[0], upper: nil)
    case ("minimum", _) where numbers.count == 1:
      return try clamped(picture, lower: nil, upper: numbers[0])
    default:
      throw StyleModelError(.badInput, "combines a picture and a constant in a way that is not understood")
    }
  }

  private mutating func combine(
    _ left: FlowingPicture, _ right: FlowingPicture, _ type: String
  ) throws(StyleModelError) -> ProgramTerm {
    if type == "mul", left.term == right.term, left.axes == right.axes,
      let square = DecomposedNorm.product(.picture(left.term), .picture(right.term)),
      case .picture(let term) = square
    {
      return .picture(FlowingPicture(term: term, axes: left.axes))
    }
    let function: Binary.Function
    switch type {
    case "add": function = .add
    case "sub": function = .subtract
    case "mul": function = .multiply
    default: throw StyleModelError(.badInput, "combines two pictures in a way that is not understood")
    }
    guard left.axes == right.axes else {
      throw StyleModelError(.badInput, "combines two pictures in different orders of their axes")
    }
    return try emitted(
      .binary(Binary(function, try computed(left.term), try computed(right.term))), like: left)
  }

  /// A picture times factors plus summands: one each, or one a channel.
  mutating func scaled(
    _ picture: FlowingPicture, factors: [Float], summands: [Float]
  ) throws(StyleModelError) -> ProgramTerm {
    guard (factors + summands).allSatisfy(\.isFinite) else {
      throw StyleModelError(.badInput, "scales a picture by a number that is not finite")
    }
    let value = try computed(picture.term)
    if factors.count == 1, summands.count == 1 {
      return try emitted(
        .activation(Activation(input: value, function: .linear(scale: factors[0], bias: summands[0]))),
        like: picture)
    }
    // A norm with mean 0, variance 1 and no epsilon is a scale and a bias a channel; the passes fold it.
    let channels = try channels(picture)
    let norm = BatchNorm(
      input: value, mean: try constantVector("mean", [0], channels),
      variance: try constantVector("variance", [1], channels),
      gamma: factors == [1] ? nil : try constantVector("gamma", factors, channels),
      beta: summands == [0] ? nil : try constantVector("beta", summands, channels), epsilon: 0)
    return try emitted(.batchNorm(norm), like: picture)
  }
}
