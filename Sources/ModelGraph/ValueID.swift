/// The name of a value in a graph: an input, a constant, or what one node computes. Values are assigned once.
public struct ValueID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number, unique in its graph.
  public let number: Int

  /// Creates a name from its number.
  public init(_ number: Int) { self.number = number }

  /// The order in which the values were made.
  public static func < (left: ValueID, right: ValueID) -> Bool { left.number < right.number }

  /// As the text form writes it: `%7`.
  public var description: String { "%\(number)" }
}
