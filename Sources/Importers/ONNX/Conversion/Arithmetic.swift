import Diagnostics
import ModelGraph
import Tensors

extension NetworkConversion {
  /// `Add`, `Sub`, `Mul`, `Div`, `Pow`, `Max`, `Min` of which one side at least is computed from the picture.
  mutating func convertArithmetic() throws(StyleModelError) -> ImportedValue {
    guard node.inputs.count == 2, let left = try input(0), let right = try input(1) else {
      throw StyleModelError(.badInput, "has \(node.inputs.count) inputs where 2 are understood")
    }
    switch (left, right) {
    case (.picture(let picture), .numbers), (.picture(let picture), .weight):
      let numbers = try channelNumbers(try aligned(1, to: picture), picture)
      return try combine(picture, numbers, numbersComeFirst: false)
    case (.numbers, .picture(let picture)), (.weight, .picture(let picture)):
      return try combine(picture, try channelNumbers(try fixedNumbers(0), picture), numbersComeFirst: true)
    case (.picture(let a), .picture(let b)): return try combine(a, b)
    case (.statistic(let statistic), .numbers), (.statistic(let statistic), .weight):
      let numbers = try channelNumbers(try fixedNumbers(1), statistic)
      return try combined(.statistic(statistic.term), .numbers(numbers), statistic: statistic)
    case (.numbers, .statistic(let statistic)), (.weight, .statistic(let statistic)):
      let numbers = try channelNumbers(try fixedNumbers(0), statistic)
      return try combined(.numbers(numbers), .statistic(statistic.term), statistic: statistic)
    case (.statistic(let a), .statistic(let b)):
      guard a.shape == b.shape else { throw notUnderstoodNorm() }
      return try combined(.statistic(a.term), .statistic(b.term), statistic: a)
    case (.picture(let picture), .statistic(let statistic)):
      try requireAlignment(statistic, picture)
      return try combined(.picture(picture.term), .statistic(statistic.term), picture: picture)
    case (.statistic(let statistic), .picture(let picture)):
      try requireAlignment(statistic, picture)
      return try combined(.statistic(statistic.term), .picture(picture.term), picture: picture)
    default: throw StyleModelError(.badInput, "combines values that are not understood")
    }
  }

  /// `Sqrt`, `Reciprocal`, `Neg`.
  mutating func convertFunction() throws(StyleModelError) -> ImportedValue {
    switch (node.operation, try input(0)) {
    case ("Neg", .picture(let picture)?):
      return try scaled(picture, factors: [-1], summands: [0])
    case ("Sqrt", .statistic(var statistic)?):
      guard let term = DecomposedNorm.squareRoot(statistic.term) else { throw notUnderstoodNorm() }
      statistic.term = term
      return .statistic(statistic)
    case ("Reciprocal", .statistic(var statistic)?):
      guard let term = DecomposedNorm.reciprocal(statistic.term) else { throw notUnderstoodNorm() }
      statistic.term = term
      return .statistic(statistic)
    default:
      throw StyleModelError(
        .badInput, "works on a picture, which is understood only as part of an instance norm")
    }
  }

  // MARK: Norms taken apart

  /// What the rules of norms make of two terms.
  private mutating func combined(
    _ left: DecomposedNorm.Term, _ right: DecomposedNorm.Term, picture: PictureValue? = nil,
    statistic: StatisticValue? = nil
  ) throws(StyleModelError) -> ImportedValue {
    let term: DecomposedNorm.Term? =
      switch node.operation {
      case "Add": DecomposedNorm.sum(left, right)
      case "Sub": DecomposedNorm.difference(left, right)
      case "Mul": DecomposedNorm.product(left, right)
      case "Div": DecomposedNorm.quotient(left, right)
      case "Pow":
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
      let channels = try probes.channels(scale.value)
      var gamma: ValueID?
      if let factors = scale.gamma { gamma = try constantVector("gamma", factors, channels) }
      var summands: ValueID?
      if let beta { summands = try constantVector("beta", beta, channels) }
      return try emitted(
        .instanceNorm(InstanceNorm(input: scale.value, gamma: gamma, beta: summands, epsilon: scale.epsilon)),
        like: picture)
    case .numbers?, nil: throw notUnderstoodNorm()
    }
  }

  /// Checks that a statistic's channels fall on those of the picture it is combined with.
  private func requireAlignment(_ statistic: StatisticValue, _ picture: PictureValue) throws(StyleModelError)
  {
    let marks = Numbers(shape: statistic.shape, .integers(Array(0..<statistic.channels)))
    guard statistic.shape.reduce(1, *) == statistic.channels else { throw notUnderstoodNorm() }
    _ = try channelNumbers(marks, picture)
  }

  // MARK: Numbers

  private func fixedNumbers(_ index: Int) throws(StyleModelError) -> Numbers {
    guard let numbers = try fixed(index) else { throw StyleModelError(.badInput, "lacks input \(index + 1)") }
    return numbers
  }

  private func aligned(_ index: Int, to picture: PictureValue) throws(StyleModelError) -> Numbers {
    let shape = picture.arrangements[probes.alive[0]].shape
    return try ONNXImporter.aligned(node, try fixedNumbers(index), to: shape)
  }

  /// Numbers that are broadcast to a picture: one, or one a channel.
  func channelNumbers(_ numbers: Numbers, _ picture: PictureValue) throws(StyleModelError) -> [Float] {
    if numbers.count == 1 { return numbers.floats }
    let value: ValueID =
      switch picture.term {
      case .value(let value), .centered(let value), .squares(let value), .squaredDistances(let value): value
      case .scaled(let scale): scale.value
      }
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

  /// Some files are rewritten so that no value is used twice, as ONNX.js wanted it, by additions of 1e-9.
  private static let negligible: Float = 1e-8

  private mutating func combine(
    _ picture: PictureValue, _ numbers: [Float], numbersComeFirst: Bool
  ) throws(StyleModelError) -> ImportedValue {
    if node.operation == "Add" || node.operation == "Sub" && !numbersComeFirst, numbers.count == 1,
      abs(numbers[0]) <= Self.negligible, own == nil
    {
      if numbers[0] != 0 {
        note("additions of \(numbers[0]) to whole pictures are left out: no picture shows them")
      }
      return .picture(picture)
    }
    switch picture.term {
    case .value: break
    default:
      let terms: (DecomposedNorm.Term, DecomposedNorm.Term) = (.picture(picture.term), .numbers(numbers))
      return try combined(
        numbersComeFirst ? terms.1 : terms.0, numbersComeFirst ? terms.0 : terms.1, picture: picture)
    }
    switch (node.operation, numbersComeFirst) {
    case ("Add", _): return try scaled(picture, factors: [1], summands: numbers)
    case ("Sub", false): return try scaled(picture, factors: [1], summands: numbers.map { -$0 })
    case ("Sub", true): return try scaled(picture, factors: [-1], summands: numbers)
    case ("Mul", _): return try scaled(picture, factors: numbers, summands: [0])
    case ("Div", false): return try scaled(picture, factors: numbers.map { 1 / $0 }, summands: [0])
    case ("Pow", false) where numbers == [1]: return .picture(picture)
    case ("Pow", false) where numbers == [2]:
      return try combined(.picture(picture.term), .picture(picture.term), picture: picture)
    case ("Max", _) where numbers.count == 1: return try clamped(picture, lower: numbers[0], upper: nil)
    case ("Min", _) where numbers.count == 1: return try clamped(picture, lower: nil, upper: numbers[0])
    default:
      throw StyleModelError(.badInput, "combines a picture and a constant in a way that is not understood")
    }
  }

  private mutating func combine(_ left: PictureValue, _ right: PictureValue) throws(StyleModelError)
    -> ImportedValue
  {
    guard probes.alive.allSatisfy({ left.arrangements[$0].shape == right.arrangements[$0].shape }) else {
      throw StyleModelError(
        .badInput,
        "combines pictures of shapes \(left.arrangements[probes.alive[0]].shape) and \(right.arrangements[probes.alive[0]].shape)"
      )
    }
    if node.operation == "Mul", left.term == right.term,
      let square = DecomposedNorm.product(.picture(left.term), .picture(right.term)),
      case .picture(let term) = square
    {
      return .picture(PictureValue(term: term, arrangements: left.arrangements))
    }
    let function: Binary.Function
    switch node.operation {
    case "Add": function = .add
    case "Sub": function = .subtract
    case "Mul": function = .multiply
    default: throw StyleModelError(.badInput, "combines two pictures in a way that is not understood")
    }
    let a = try computed(left.term)
    let b = try computed(right.term)
    guard probes.alive.allSatisfy({ left.arrangements[$0] == right.arrangements[$0] }) else {
      throw StyleModelError(.badInput, "combines two pictures in different orders of their axes")
    }
    return try emitted(.binary(Binary(function, a, b)), like: left)
  }

  /// A picture times factors plus summands: one each, or one a channel.
  mutating func scaled(_ picture: PictureValue, factors: [Float], summands: [Float]) throws(StyleModelError)
    -> ImportedValue
  {
    guard (factors + summands).allSatisfy(\.isFinite) else {
      throw StyleModelError(.badInput, "scales a picture by a number that is not finite")
    }
    let value = try computed(picture.term)
    if factors.count == 1, summands.count == 1 {
      if factors == [1], let product = part(ONNXFormat.Part.product, of: value),
        case .activation(let activation) = product, case .linear(let scale, 0) = activation.function
      {
        let whole = Activation(
          input: activation.input, function: .linear(scale: scale, bias: summands[0]))
        return try emitted(.activation(whole), like: picture)
      }
      return try emitted(
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
    return try emitted(.batchNorm(norm), like: picture)
  }

  /// A vector with one number a channel, under a name of the node's.
  private mutating func constantVector(
    _ role: String, _ numbers: [Float], _ channels: Int
  ) throws(StyleModelError) -> ValueID {
    try spend(channels)
    let all = numbers.count == channels ? numbers : [Float](repeating: numbers.first ?? 0, count: channels)
    let name = node.name.isEmpty ? node.outputs.first ?? node.operation : node.name
    return probes.constant("\(name).\(role)", StoredTensor(shape: [channels], floats: all))
  }
}
