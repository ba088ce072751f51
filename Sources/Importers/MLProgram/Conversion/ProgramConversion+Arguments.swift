import Diagnostics
import ModelGraph
import Tensors

extension ProgramConversion {
  /// What an argument stands for, or nil where it is left out.
  mutating func argument(_ role: String) throws(StyleModelError) -> ProgramTerm? {
    guard let list = operation.inputs[role] else { return nil }
    guard list.count == 1, let argument = list.first else {
      throw StyleModelError(.badInput, "has \(list.count) values as '\(role)'")
    }
    return try term(argument)
  }

  /// What an argument stands for.
  mutating func term(_ argument: Program.Argument) throws(StyleModelError) -> ProgramTerm {
    switch argument {
    case .value(let value): return .known(try known.value(value))
    case .name(let name):
      guard let term = values[name] else {
        throw StyleModelError(
          .badInput, "uses '\(printable(name, limit: 80))', which is not computed before it")
      }
      guard case .constant(let value) = term else { return term }
      do throws(StyleModelError) {
        let read = ProgramTerm.known(try known.value(value))
        define(name, read)
        return read
      } catch {
        throw StyleModelError(
          error.kind, file: error.file,
          place: ["'\(printable(name, limit: 80))'", error.place].compactMap { $0 }.joined(separator: ", "),
          error.problem, remedy: error.remedy)
      }
    }
  }

  /// An argument that is a picture.
  mutating func picture(_ role: String = "x") throws(StyleModelError) -> FlowingPicture {
    switch try argument(role) {
    case .picture(let picture)?: return picture
    case .statistic?: throw notUnderstoodNorm()
    case nil: throw StyleModelError(.badInput, "lacks '\(role)'")
    default: throw StyleModelError(.badInput, "wants a picture as '\(role)'")
    }
  }

  /// A picture in the order that our graphs have, computed if it is only a term so far.
  mutating func plain(_ role: String = "x") throws(StyleModelError) -> ValueID {
    let picture = try picture(role)
    guard picture.axes == FlowingPicture.usualAxes else {
      throw StyleModelError(
        .badInput, "works on a picture whose axes are not batch, channels, height and width")
    }
    return try computed(picture.term)
  }

  /// The value of a term, computed where it is not yet.
  mutating func computed(_ term: DecomposedNorm.Picture) throws(StyleModelError) -> ValueID {
    switch term {
    case .value(let value): return value
    case .squares(let value): return try probes.emit(.binary(Binary(.multiply, value, value)))
    case .centered, .squaredDistances, .scaled: throw notUnderstoodNorm()
    }
  }

  func notUnderstoodNorm() -> StyleModelError {
    StyleModelError(
      .badInput, "uses statistics of a picture in a way that is no instance normalisation that is understood",
      remedy: "convert the network with its norms as one operation (PyTorch does in eval mode)")
  }

  /// An argument that is known, or nil where it is left out.
  mutating func knownValue(_ role: String) throws(StyleModelError) -> KnownValue? {
    switch try argument(role) {
    case nil: return nil
    case .known(let value)?: return value
    default:
      throw StyleModelError(.badInput, "wants '\(role)' to be known beforehand, but it is computed")
    }
  }

  /// Numbers that are known at each probed size, or nil where the argument is left out.
  mutating func listsBySize(_ role: String) throws(StyleModelError) -> [[Double]]? {
    if case .extents(let lists)? = try argument(role) { return lists }
    guard let value = try knownValue(role) else { return nil }
    let list = try shortList(value, role)
    return Array(repeating: list, count: probes.count)
  }

  /// A few numbers, exactly.
  func shortList(_ value: KnownValue, _ role: String) throws(StyleModelError) -> [Double] {
    guard case .numbers(let tensor) = value, tensor.shape.count <= 64 else {
      throw StyleModelError(.badInput, "wants a few numbers as '\(role)'")
    }
    return tensor.type.isFloat ? try tensor.floats().map(Double.init) : try tensor.integers().map(Double.init)
  }

  /// Whole numbers that do not depend on the picture's size, or nil where the argument is left out.
  mutating func integers(_ role: String) throws(StyleModelError) -> [Int]? {
    guard let lists = try listsBySize(role) else { return nil }
    var result: [Int] = []
    for number in try agreed("'\(role)'", probes.alive.map { lists[$0] }) {
      guard let whole = Int(exactly: number), abs(whole) <= 1 << 40 else {
        throw StyleModelError(.badInput, "wants whole numbers as '\(role)', not \(number)")
      }
      result.append(whole)
    }
    return result
  }

  /// A whole number, or the default where the argument is left out.
  mutating func integer(_ role: String, default standard: Int) throws(StyleModelError) -> Int {
    guard let list = try integers(role) else { return standard }
    guard list.count == 1 else { throw StyleModelError(.badInput, "wants one number as '\(role)'") }
    return list[0]
  }

  /// A finite number, or the default where the argument is left out.
  mutating func number(_ role: String, default standard: Float) throws(StyleModelError) -> Float {
    guard let value = try knownValue(role) else { return standard }
    let list = try shortList(value, role)
    guard list.count == 1, list[0].isFinite else {
      throw StyleModelError(.badInput, "wants a number as '\(role)'")
    }
    return Float(list[0])
  }

  /// A word, or the default where the argument is left out.
  mutating func word(_ role: String, default standard: String) throws(StyleModelError) -> String {
    switch try knownValue(role) {
    case nil: return standard
    case .texts(let texts)? where texts.count == 1: return texts[0]
    default: throw StyleModelError(.badInput, "wants a word as '\(role)'")
    }
  }

  /// The value that all probed sizes give.
  func agreed<Value: Equatable>(_ what: String, _ found: [Value]) throws(StyleModelError) -> Value {
    guard let first = found.first, found.allSatisfy({ $0 == first }) else {
      throw StyleModelError(
        .badInput, "computes \(what) from the size of the picture, and not as a fixed multiple of it",
        remedy: "convert the network with fixed paddings and scales, or for one size")
    }
    return first
  }

  /// A weight in the encoding that the file has, under its name; nil where the argument is left out.
  mutating func weight(_ role: String) throws(StyleModelError) -> (value: ValueID, shape: Shape)? {
    guard let value = try knownValue(role) else { return nil }
    let tensor = try value.stored()
    if case .plain(let type) = tensor.encoding, !type.isFloatingPoint {
      throw StyleModelError(.badInput, "has integers as '\(role)', without a scale")
    }
    var name = "\(operation.outputs.first ?? operation.type).\(role)"
    if case .name(let given)? = operation.inputs[role]?.first { name = given }
    return (probes.constant(name, tensor), tensor.shape)
  }

  /// A vector with one number a channel, under a name of the operation's.
  mutating func constantVector(
    _ role: String, _ numbers: [Float], _ channels: Int
  ) throws(StyleModelError) -> ValueID {
    try known.spend(channels)
    let all = numbers.count == channels ? numbers : [Float](repeating: numbers.first ?? 0, count: channels)
    let name = "\(operation.outputs.first ?? operation.type).\(role)"
    return probes.constant(name, StoredTensor(shape: Shape([channels]), floats: all))
  }

  /// A new picture in the order that our graphs have.
  mutating func emitted(_ operation: ModelGraph.Operation) throws(StyleModelError) -> ProgramTerm {
    .picture(FlowingPicture(term: .value(try probes.emit(operation)), axes: FlowingPicture.usualAxes))
  }

  /// A new picture in the order that another one has.
  mutating func emitted(
    _ operation: ModelGraph.Operation, like picture: FlowingPicture
  ) throws(StyleModelError) -> ProgramTerm {
    .picture(FlowingPicture(term: .value(try probes.emit(operation)), axes: picture.axes))
  }

  /// The value that a term is about.
  func source(_ term: DecomposedNorm.Picture) -> ValueID {
    switch term {
    case .value(let value), .centered(let value), .squares(let value), .squaredDistances(let value): value
    case .scaled(let scale): scale.value
    }
  }

  /// The extents of a picture in the order that the program has.
  func extents(_ picture: FlowingPicture, at size: Int) throws(StyleModelError) -> [Int] {
    let shape = try probes.shape(source(picture.term), at: size)
    return picture.axes.map { axis in
      switch axis {
      case .one: 1
      case .channel: shape[1]
      case .row: shape[2]
      case .column: shape[3]
      }
    }
  }

  /// The number of channels of a picture.
  func channels(_ picture: FlowingPicture) throws(StyleModelError) -> Int {
    try probes.shape(source(picture.term))[1]
  }
}
