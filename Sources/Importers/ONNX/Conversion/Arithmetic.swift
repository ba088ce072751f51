import Diagnostics
import ModelGraph
import PictureTracing
import Tensors

extension NetworkConversion {
  /// `Add`, `Sub`, `Mul`, `Div`, `Pow`, `Max`, `Min` of which one side at least is computed from the picture.
  mutating func convertArithmetic() throws(StyleModelError) -> ImportedValue {
    guard node.inputs.count == 2, let left = try input(0), let right = try input(1),
      let function = ArithmeticFunction(rawValue: node.operation)
    else { throw StyleModelError(.badInput, "has \(node.inputs.count) inputs where 2 are understood") }
    let first = try traced(0, left, beside: right)
    let second = try traced(1, right, beside: left)
    if let picture = unchanged(function, first, second) { return .picture(picture) }
    if let picture = try joined(function, first, second) { return .picture(picture) }
    return ImportedValue(try combine(function, first, second))
  }

  /// `Sum` of any number of pictures.
  mutating func convertSum() throws(StyleModelError) -> ImportedValue {
    var sum = try plain(0)
    for index in node.inputs.indices.dropFirst() {
      sum = try probes.emit(.binary(Binary(.add, sum, try plain(index))))
    }
    return .picture(try shown(sum))
  }

  /// `Abs`: what is above zero, and what is below it the other way round.
  mutating func convertMagnitude() throws(StyleModelError) -> ImportedValue {
    let input = try picture()
    let value = try computed(input.term)
    let above = try probes.emit(.activation(Activation(input: value, function: .relu)))
    let turned = try probes.emit(
      .activation(Activation(input: value, function: .linear(scale: -1, bias: 0))))
    let below = try probes.emit(.activation(Activation(input: turned, function: .relu)))
    return try emitted(.binary(Binary(.add, above, below)), like: input)
  }

  /// `Sqrt`, `Reciprocal`, `Neg`.
  mutating func convertFunction() throws(StyleModelError) -> ImportedValue {
    switch (node.operation, try input(0)) {
    case ("Neg", .picture(let picture)?):
      return .picture(try scaled(picture, factors: [-1], summands: [0]))
    case ("Neg", .statistic(let statistic)?):
      return ImportedValue(
        try combine(.multiply, .statistic(statistic), .numbers(Numbers(shape: [], .floats([-1])))))
    case ("Sqrt", .statistic(let statistic)?): return .statistic(try squareRoot(statistic))
    case ("Reciprocal", .statistic(let statistic)?): return .statistic(try reciprocal(statistic))
    default:
      throw StyleModelError(
        .badInput, "works on a picture, which is understood only as part of an instance norm")
    }
  }

  /// An operand of arithmetic.
  private func traced(
    _ index: Int, _ value: ImportedValue, beside other: ImportedValue
  ) throws(StyleModelError) -> TracedValue {
    switch value {
    case .picture(let picture): return .picture(picture)
    case .statistic(let statistic): return .statistic(statistic)
    case .numbers, .weight:
      guard let numbers = try fixed(index) else {
        throw StyleModelError(.badInput, "lacks input \(index + 1)")
      }
      guard index == 1, case .picture(let picture) = other else { return .numbers(numbers) }
      let shape = picture.arrangements[probes.alive[0]].shape
      return .numbers(try aligned(node, numbers, to: shape))
    case .quantized: throw StyleModelError(.badInput, "combines values that are not understood")
    }
  }

  /// Some files are rewritten so that no value is used twice, as ONNX.js wanted it, by additions of 1e-9.
  private static let negligible: Float = 1e-8

  /// The picture, where so little is added to it that no picture shows it.
  private mutating func unchanged(
    _ function: ArithmeticFunction, _ left: TracedValue, _ right: TracedValue
  ) -> PictureValue? {
    let picture: PictureValue
    let numbers: Numbers
    switch (left, right) {
    case (.picture(let it), .numbers(let other)) where function == .add || function == .subtract:
      (picture, numbers) = (it, other)
    case (.numbers(let other), .picture(let it)) where function == .add: (picture, numbers) = (it, other)
    default: return nil
    }
    guard own == nil, numbers.count == 1, let number = numbers.floats.first, abs(number) <= Self.negligible
    else { return nil }
    if number != 0 { note("additions of \(number) to whole pictures are left out: no picture shows them") }
    return picture
  }

  /// A product and the sum behind it, where our own exporter split one operation into them.
  private mutating func joined(
    _ function: ArithmeticFunction, _ left: TracedValue, _ right: TracedValue
  ) throws(StyleModelError) -> PictureValue? {
    guard function == .add, case .picture(let picture) = left, case .numbers(let numbers) = right,
      numbers.count == 1, case .value(let value) = picture.term,
      let product = part(ONNXFormat.Part.product, of: value), case .activation(let activation) = product,
      case .linear(let scale, 0) = activation.function
    else { return nil }
    let whole = Activation(
      input: activation.input, function: .linear(scale: scale, bias: numbers.floats[0]))
    return try emitPicture(.activation(whole), like: picture)
  }
}
