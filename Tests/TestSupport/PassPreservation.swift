public import Diagnostics
public import ModelGraph
import Tensors
public import Testing

/// Sizes that passes are tried at: odd ones, so that an off-by-one at an edge shows, and both orientations.
public let oddSizes = [PictureSize(width: 11, height: 7), PictureSize(width: 8, height: 13)]

/// Lets a pass work on a copy of a graph and checks that nothing can be told from outside: the result verifies,
/// has the same input, contract and output shape at every size, is left alone by a second run, and gives the
/// same numbers for a seeded picture.
/// - Parameters:
///   - bound: how far outputs may differ, relative to the greatest magnitude in the output. A pass that moves no
///     numbers is held to double precision, one that rounds new weights to float to a few of float's last places.
///   - apply: the pass.
/// - Returns: the rewritten graph, and what the pass said.
@discardableResult
public func expectPreserves<Notes>(
  _ graph: Graph, sizes: [PictureSize] = oddSizes, within bound: Double,
  sourceLocation: SourceLocation = #_sourceLocation, by apply: (inout Graph) throws -> Notes
) throws -> (graph: Graph, notes: Notes) {
  var after = graph
  let notes = try apply(&after)
  try after.verify()
  #expect(after.input == graph.input, "the input changed", sourceLocation: sourceLocation)
  #expect(after.contract == graph.contract, "the pixel contract changed", sourceLocation: sourceLocation)
  var again = after
  _ = try apply(&again)
  #expect(
    again == after, "a second run changed the graph again:\n\(after.text)\n\(again.text)",
    sourceLocation: sourceLocation)
  for size in sizes {
    let before = try graph.shapes(for: size)[graph.output]
    let now = try after.shapes(for: size)[after.output]
    #expect(
      before == now, "at \(size) the output changed from \(before ?? []) to \(now ?? [])",
      sourceLocation: sourceLocation)
    var random = SeededRandom(seed: 7)
    let pixels = random.floats(graph.input.channels * size.height * size.width, in: -2...2)
    let picture = PlainExecutor.Map(
      channels: graph.input.channels, height: size.height, width: size.width, values: pixels.map(Double.init))
    let expected = try PlainExecutor(graph).run(picture).values
    let found = try PlainExecutor(after).run(picture).values
    let peak = expected.map(abs).max() ?? 0
    let differences = zip(expected, found).map { abs($0 - $1) }
    #expect(
      peak > 0 && peak.isFinite && found.count == expected.count
        && differences.allSatisfy { $0 <= bound * peak },
      "at \(size) the output differs by \(differences.max() ?? 0) where \(bound * peak) is allowed (peak \(peak))",
      sourceLocation: sourceLocation)
  }
  return (after, notes)
}

extension Graph {
  /// The text form with values numbered in the order in which the text first names them, so that graphs made in
  /// different ways can be compared.
  public func canonicalText() throws(StyleModelError) -> String {
    var tensors: [String: StoredTensor] = [:]
    for constant in constants.values { tensors[constant.name] = constant.tensor }
    return try Graph(text: text, constants: tensors).text
  }
}
