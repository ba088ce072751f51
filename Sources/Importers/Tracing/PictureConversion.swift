package import Diagnostics
package import ModelGraph
import Tensors

/// What the importers of networks that are written as operations on arrays have in common: each value of the file stands
/// for a picture, a statistic of one or known numbers, and operations of our graph are made of what is done to them.
package protocol PictureConversion {
  /// The graph that is being built.
  var probes: Probes { get set }
  /// What is kept count of.
  var ledger: ImportLedger { get set }
  /// A name for the constants that the operation at work needs.
  var label: String { get }
  /// What the user should do about a norm that is not recognised.
  var normRemedy: String? { get }
  /// How many styles the network chooses from; factors and summands of norms may then be tables `[styles, channels]`. Nil
  /// for a network of one style.
  var styleCount: Int? { get }
}

extension PictureConversion {
  package var styleCount: Int? { nil }

  /// See `ImportLedger.spend`.
  package mutating func spend(_ count: Int) throws(StyleModelError) { try ledger.spend(count) }

  /// See `ImportLedger.note`.
  package mutating func note(_ text: String) { ledger.note(text) }

  /// The error for arithmetic on statistics that is no norm.
  package func notUnderstoodNorm() -> StyleModelError {
    StyleModelError(
      .badInput, "uses statistics of a picture in a way that is no instance normalisation that is understood",
      remedy: normRemedy)
  }

  /// The value of a term, computed where it is not yet.
  package mutating func computed(_ term: DecomposedNorm.Picture) throws(StyleModelError) -> ValueID {
    switch term {
    case .value(let value): return value
    case .squares(let value): return try probes.emit(.binary(Binary(.multiply, value, value)))
    case .centered, .squaredDistances, .scaled: throw notUnderstoodNorm()
    }
  }

  /// The value of a picture in the order that the graph has.
  /// - Parameter ranks: how many axes the file may show it with: `C`, `H` and `W`, and ones before them.
  package mutating func plain(
    _ picture: PictureValue, ranks: ClosedRange<Int> = 4...4
  ) throws(StyleModelError) -> ValueID {
    let value = try computed(picture.term)
    for probe in probes.alive {
      let shown = picture.arrangements[probe]
      guard shown.isPicture(try probes.extents(value, probe), ranks: ranks) else {
        throw StyleModelError(
          .badInput, "is given a picture reshaped to \(shown.shape) in a way that is not understood")
      }
    }
    return value
  }

  /// A value in the order that the graph has, with as many axes as the file gives its pictures.
  package func shown(_ value: ValueID, rank: Int = 4) throws(StyleModelError) -> PictureValue {
    var arrangements: [Arrangement] = []
    for probe in 0..<probes.count {
      // A size that dropped out keeps a place, so that indices stay.
      let known = probes.alive.contains(probe) ? probe : probes.alive[0]
      arrangements.append(Arrangement(picture: try probes.extents(value, known), rank: rank))
    }
    return PictureValue(term: .value(value), arrangements: arrangements)
  }

  /// A new picture in the order that the graph has.
  package mutating func emitPicture(_ operation: Operation, rank: Int = 4) throws(StyleModelError)
    -> PictureValue
  {
    let value = try probes.emit(operation)
    return try shown(value, rank: rank)
  }

  /// A new picture that is shown as another one of its shape was.
  package mutating func emitPicture(_ operation: Operation, like picture: PictureValue)
    throws(StyleModelError)
    -> PictureValue
  {
    PictureValue(term: .value(try probes.emit(operation)), arrangements: picture.arrangements)
  }

  /// The value that all probed sizes give.
  package func agreed<Value: Equatable>(_ what: String, _ found: [Value]) throws(StyleModelError) -> Value {
    guard let first = found.first, found.allSatisfy({ $0 == first }) else {
      throw StyleModelError(
        .badInput, "computes \(what) from the size of the picture, and not as a fixed multiple of it",
        remedy: "export it with fixed paddings and scales, or for one size without dynamic axes")
    }
    return first
  }

  /// A vector with one number a channel, under a name of the operation's.
  package mutating func constantVector(
    _ role: String, _ numbers: [Float], _ channels: Int
  ) throws(StyleModelError) -> ValueID {
    try spend(channels)
    let all = numbers.count == channels ? numbers : [Float](repeating: numbers.first ?? 0, count: channels)
    return probes.constant("\(label).\(role)", StoredTensor(shape: [channels], floats: all))
  }
}
