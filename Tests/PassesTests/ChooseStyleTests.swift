import Diagnostics
import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Passes

@Suite struct ChooseStyleTests {
  private let tensors = weights([
    "w": [4, 3, 3, 3], "b": [4], "g": [3, 4], "h": [3, 4], "v": [3, 4, 1, 1], "g2": [3, 3], "h2": [3, 3],
  ])
  private let text = """
    styles(input: "index", count: 3)
    %a = conv(%x, weight: @"w", bias: @"b", padding: [1, 1, 1, 1])
    %b = conditional_instance_norm(%a, gamma: @"g", beta: @"h", epsilon: 1e-05)
    %c = relu(%b)
    %d = conditional_instance_norm(%c, gamma: @"g", beta: @"h", epsilon: 0.001)
    %e = conv(%d, weight: @"v")
    %y = conditional_instance_norm(%e, gamma: @"g2", beta: @"h2", epsilon: 1e-05)
    """

  /// The chosen network gives what the plain executor makes of the tables with the same style vector.
  @Test(arguments: ["0:1", "2:1", "0:0.5,2:0.5", "0:0.2,1:0.3,2:0.6", "1:-2"])
  func equalsTheTableUnderTheStyleVector(blend: String) throws {
    let graph = try Graph(text: wrapped(text), constants: tensors)
    let blend = try #require(StyleBlend(blend))
    let vector = try blend.weights(in: StyleSet(inputName: "", count: 3)).map(Double.init)
    let chosen = try graph.choosing(blend)
    #expect(chosen.graph.styles == nil)
    #expect(chosen.notes.count == 3)
    var random = SeededRandom(seed: 5)
    let picture = PlainExecutor.Map(
      channels: 3, height: 7, width: 5, values: random.floats(105, in: -2...2).map(Double.init))
    let expected = try PlainExecutor(graph, style: vector).run(picture).values
    let found = try PlainExecutor(chosen.graph).run(picture).values
    let peak = expected.map(abs).max() ?? 0
    #expect(zip(expected, found).allSatisfy { abs($0 - $1) < 1e-6 * peak })
  }

  /// A table that two norms share gives each its rows; the table itself is gone.
  @Test func writesInstanceNorms() throws {
    let (graph, notes) = try ChooseStyle(StyleBlend(style: 1)).expect(
      given: text,
      result: """
        %a = conv(%x, weight: @"w", bias: @"b", padding: [1, 1, 1, 1])
        %b = instance_norm(%a, gamma: @"g.folded", beta: @"h.folded", epsilon: 1e-05)
        %c = relu(%b)
        %d = instance_norm(%c, gamma: @"g.folded.2", beta: @"h.folded.2", epsilon: 0.001)
        %e = conv(%d, weight: @"v")
        %y = instance_norm(%e, gamma: @"g2", beta: @"h2", epsilon: 1e-05)
        """, tensors)
    #expect(notes.map(\.subject) == ["g", "g", "g2"])
    #expect(notes.first?.text == "style 1 of 3 folded into gamma and beta")
    // One style's row is taken bit for bit.
    let value = try #require(graph.constant(named: "g2"))
    #expect(graph.tensor(value)?.floats() == tensors["g2"].map { Array($0.floats()[3..<6]) })
  }

  @Test func aStyleOfNoWeightMayHoldAnything() throws {
    var tensors = tensors
    tensors["g2"] = StoredTensor(shape: [3, 3], floats: [1, 2, 3, .nan, .infinity, 0, 4, 5, 6])
    let graph = try Graph(text: wrapped(text), constants: tensors)
    #expect(throws: Never.self) { try graph.choosing(StyleBlend(style: 2)) }
    let error = #expect(throws: StyleModelError.self) { try graph.choosing(StyleBlend(style: 1)) }
    #expect(error?.problem.contains("no finite gamma and beta") == true)
  }

  @Test func aNetworkOfOneStyleHasNoneToChoose() throws {
    let graph = try Graph(
      text: wrapped("%y = instance_norm(%x, epsilon: 1)"), constants: [:])
    let error = #expect(throws: StyleModelError.self) { try graph.choosing(StyleBlend(style: 0)) }
    #expect(error?.kind == .usage)
    #expect(error?.remedy == "leave out --style")
  }

  /// Unchosen, the table stays, with its reason; what is dead before a live norm is dead here too.
  @Test func theOtherPassesKeepTheTable() throws {
    let given = """
      styles(input: "index", count: 3)
      %a = conv(%x, weight: @"w", bias: @"b", padding: [1, 1, 1, 1])
      %b = linear(%a, scale: -2, bias: 3)
      %y = conditional_instance_norm(%b, gamma: @"g", beta: @"h", epsilon: 0.0004)
      """
    var tensors = tensors
    tensors["w"] = weights(["w": [3, 3, 3, 3]])["w"]
    tensors["b"] = weights(["b": [3]])["b"]
    tensors["g"] = tensors["g2"]
    tensors["h"] = tensors["h2"]
    let graph = try Graph(text: wrapped(given), constants: tensors)
    let (after, notes) = try optimized(graph)
    #expect(after.nodes.map(\.operation.mnemonic) == ["conv", "conditional_instance_norm"])
    #expect(after.nodes[0].operation.bias == nil)
    #expect(notes.last?.text.contains("the table stays") == true)
    var random = SeededRandom(seed: 6)
    let picture = PlainExecutor.Map(
      channels: 3, height: 9, width: 8, values: random.floats(216, in: -2...2).map(Double.init))
    let style = [0.25, 0, 0.75]
    let expected = try PlainExecutor(graph, style: style).run(picture).values
    let found = try PlainExecutor(after, style: style).run(picture).values
    #expect(zip(expected, found).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test func aStoredNormBehindATableWaitsForTheChoice() throws {
    let given = """
      styles(input: "index", count: 3)
      %a = conditional_instance_norm(%x, gamma: @"g2", beta: @"h2", epsilon: 1)
      %y = batch_norm(%a, mean: @"m", variance: @"variance", epsilon: 1)
      """
    let tensors = tensors.merging(weights(["m": [3], "variance": [3]])) { $1 }
    try FoldBatchNorm().expectLeftAlone(given, tensors, subject: "m", reason: "depend on the style")
    let chosen = try optimized(
      Graph(text: wrapped(given), constants: tensors),
      by: [ChooseStyle(StyleBlend(style: 0))] + standardPasses)
    #expect(chosen.graph.nodes.map(\.operation.mnemonic) == ["instance_norm"])
  }
}
