import Diagnostics

/// An operation taken apart into a name, operands and attributes: the one form between the typed operations and
/// everything that writes them down (the text form, the file's header).
public struct OperationCall: Hashable, Sendable {
  /// A value that the operation uses.
  public struct Operand: Hashable, Sendable {
    /// What it is used as; empty for the values that flow, which come first.
    public var role: String
    /// The value.
    public var value: ValueID

    /// Creates an operand.
    public init(role: String = "", value: ValueID) {
      self.role = role
      self.value = value
    }
  }

  /// A setting of the operation.
  public struct Attribute: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: AttributeValue

    /// Creates an attribute.
    public init(_ name: String, _ value: AttributeValue) {
      self.name = name
      self.value = value
    }
  }

  /// What an attribute can be.
  public enum AttributeValue: Hashable, Sendable {
    case integers([Int])
    case number(Float)
    case word(String)
  }

  /// The name of the operation.
  public var mnemonic: String
  /// The values it uses.
  public var operands: [Operand]
  /// Its settings, those left out that have their default.
  public var attributes: [Attribute]

  /// Creates a call.
  public init(_ mnemonic: String, operands: [Operand], attributes: [Attribute?] = []) {
    self.mnemonic = mnemonic
    self.operands = operands
    self.attributes = attributes.compactMap { $0 }
  }
}

extension OperationCall.Attribute {
  /// An attribute of integers, or nil where they are the default.
  static func integers(_ name: String, _ value: [Int], default standard: [Int]) -> Self? {
    value == standard ? nil : Self(name, .integers(value))
  }
}

/// Takes the arguments of a call one by one, so that what is missing, unknown or of the wrong type is named.
public struct OperationCallReader {
  let mnemonic: String
  private var operands: [OperationCall.Operand]
  private var attributes: [OperationCall.Attribute]

  /// Starts reading a call.
  public init(_ call: OperationCall) {
    mnemonic = call.mnemonic
    operands = call.operands
    attributes = call.attributes
  }

  /// The next operand of this role.
  mutating func operand(_ role: String = "") throws(StyleModelError) -> ValueID {
    guard let value = optionalOperand(role) else {
      throw problem(role.isEmpty ? "lacks a value to work on" : "lacks '\(role):'")
    }
    return value
  }

  /// The next operand of this role, if there is one.
  mutating func optionalOperand(_ role: String) -> ValueID? {
    guard let index = operands.firstIndex(where: { $0.role == role }) else { return nil }
    return operands.remove(at: index).value
  }

  /// `count` integers in `range`, or the default where the attribute is absent. One integer stands for all of
  /// them: `stride: 2` is `stride: [2, 2]`.
  mutating func integers(
    _ name: String, count: Int, in range: ClosedRange<Int>, default standard: [Int]
  ) throws(StyleModelError) -> [Int] {
    switch take(name) {
    case nil: return standard
    case .integers(let values)? where values.allSatisfy(range.contains) && [1, count].contains(values.count):
      return values.count == count ? values : Array(repeating: values[0], count: count)
    default:
      throw problem(
        "'\(name):' wants \(count == 1 ? "a whole number" : "\(count) whole numbers") from "
          + "\(range.lowerBound) to \(range.upperBound)")
    }
  }

  /// A finite number, or the default where the attribute is absent; without a default it must be there.
  mutating func number(_ name: String, default standard: Float? = nil) throws(StyleModelError) -> Float {
    switch take(name) {
    case nil:
      if let standard { return standard }
      throw problem("lacks '\(name):'")
    case .number(let value)? where value.isFinite: return value
    case .integers(let values)? where values.count == 1: return Float(values[0])
    default: throw problem("'\(name):' wants a number")
    }
  }

  /// A word out of an enumeration, or the default where the attribute is absent.
  mutating func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, default standard: Word? = nil
  ) throws(StyleModelError) -> Word where Word.RawValue == String {
    switch take(name) {
    case nil:
      if let standard { return standard }
    case .word(let text)?:
      if let word = Word(rawValue: text) { return word }
    default: break
    }
    let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
    throw problem("'\(name):' wants one of \(words)")
  }

  /// A word out of an enumeration, or nil where the attribute is absent.
  mutating func optionalWord<Word: RawRepresentable & CaseIterable>(
    _ name: String
  ) throws(StyleModelError) -> Word? where Word.RawValue == String {
    guard attributes.contains(where: { $0.name == name }) else { return nil }
    let word: Word = try word(name)
    return word
  }

  /// Makes sure that nothing is left over.
  func finish() throws(StyleModelError) {
    if let operand = operands.first {
      throw problem(operand.role.isEmpty ? "is given too many values" : "does not know '\(operand.role):'")
    }
    if let attribute = attributes.first { throw problem("does not know '\(attribute.name):'") }
  }

  /// An error about this call.
  func problem(_ text: String) -> StyleModelError { StyleModelError(.badInput, "\(mnemonic) \(text)") }

  private mutating func take(_ name: String) -> OperationCall.AttributeValue? {
    guard let index = attributes.firstIndex(where: { $0.name == name }) else { return nil }
    return attributes.remove(at: index).value
  }
}
