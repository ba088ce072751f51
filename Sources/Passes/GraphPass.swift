public import Diagnostics
public import ModelGraph

/// One rewriting of a graph that leaves what the graph computes as it was, up to the rounding of floats.
public protocol GraphPass: Sendable {
  /// The name in notes and errors, words joined by hyphens.
  static var name: String { get }

  /// Rewrites the graph.
  /// - Parameter graph: a graph that `Graph.verify()` accepts; it must accept the result too.
  /// - Returns: what was done, and what was left alone for which reason, in the order of the operations.
  func apply(_ graph: inout Graph) throws(StyleModelError) -> [PassNote]
}
