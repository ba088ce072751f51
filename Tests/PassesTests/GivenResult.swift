import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Passes

/// Weights by name: seeded numbers, of the shapes that the tests' texts want.
func weights(_ shapes: KeyValuePairs<String, Shape>) -> [String: StoredTensor] {
  var random = SeededRandom(seed: 1)
  var tensors: [String: StoredTensor] = [:]
  for (name, shape) in shapes {
    // Variances must be positive, and far from zero so that folding stays well conditioned.
    tensors[name] = random.tensor(shape, in: name.hasSuffix("variance") ? 0.25...1.25 : -1...1)
  }
  return tensors
}

extension GraphPass {
  /// Runs the pass on a graph in text form and compares the result with another text, whatever the values are
  /// numbered in them. The expected text may name weights that the pass made.
  /// - Returns: the rewritten graph and the notes.
  @discardableResult
  func expect(
    given: String, result: String, _ tensors: [String: StoredTensor],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (graph: Graph, notes: [PassNote]) {
    var graph = try Graph(text: wrapped(given), constants: tensors)
    let notes = try apply(&graph)
    try graph.verify()
    var made: [String: StoredTensor] = [:]
    for constant in graph.constants.values { made[constant.name] = constant.tensor }
    let expected = try Graph(text: wrapped(result), constants: made)
    #expect(try graph.canonicalText() == expected.text, sourceLocation: sourceLocation)
    #expect(Set(made.keys) == Set(expected.constants.values.map(\.name)), sourceLocation: sourceLocation)
    #expect(notes.allSatisfy { $0.pass == Self.name }, sourceLocation: sourceLocation)
    return (graph, notes)
  }

  /// Runs the pass on a graph that it must leave as it is, and expects one note with this reason.
  func expectLeftAlone(
    _ text: String, _ tensors: [String: StoredTensor], subject: String, reason: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let graph = try Graph(text: wrapped(text), constants: tensors)
    var after = graph
    let notes = try apply(&after)
    #expect(after == graph, sourceLocation: sourceLocation)
    #expect(notes.map(\.kind) == [.leftAlone], sourceLocation: sourceLocation)
    #expect(notes.map(\.subject) == [subject], sourceLocation: sourceLocation)
    #expect(notes.first?.text.contains(reason) == true, "\(notes)", sourceLocation: sourceLocation)
  }
}

/// The lines of a graph from input `%x` to output `%y`.
func wrapped(_ lines: String) -> String { "graph {\ninput %x\n\(lines)\noutput %y\n}" }
