import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Passes

@Suite struct RemoveDeadBiasTests {
  private let tensors = weights([
    "w": [6, 3, 3, 3], "b": [6], "depth": [6, 1, 3, 3], "up": [6, 1, 3, 3], "b3": [3], "g": [6], "h": [6],
    "g3": [3],
    "last": [3, 6, 1, 1],
  ])

  @Test func removesBeforeALiveNorm() throws {
    let given = """
      %a = conv(%x, weight: @"w", bias: @"b", stride: [2, 2], padding: [1, 1, 1, 1])
      %b = instance_norm(%a, gamma: @"g", beta: @"h", epsilon: 1e-05)
      %c = relu(%b)
      %d = conv(%c, weight: @"depth", bias: @"h", padding: [1, 1, 1, 1], padding_mode: replicate, groups: 6)
      %e = instance_norm(%d, epsilon: 1e-05)
      %f = conv_transpose(%e, weight: @"up", bias: @"b3", stride: [2, 2], output_padding: [1, 0], groups: 3)
      %y = instance_norm(%f, gamma: @"g3", epsilon: 0.001)
      """
    let (_, notes) = try RemoveDeadBias().expect(
      given: given,
      result: """
        %a = conv(%x, weight: @"w", stride: [2, 2], padding: [1, 1, 1, 1])
        %b = instance_norm(%a, gamma: @"g", beta: @"h", epsilon: 1e-05)
        %c = relu(%b)
        %d = conv(%c, weight: @"depth", padding: [1, 1, 1, 1], padding_mode: replicate, groups: 6)
        %e = instance_norm(%d, epsilon: 1e-05)
        %f = conv_transpose(%e, weight: @"up", stride: [2, 2], output_padding: [1, 0], groups: 3)
        %y = instance_norm(%f, gamma: @"g3", epsilon: 0.001)
        """, tensors)
    #expect(notes.map(\.subject) == ["w", "depth", "up"])
    #expect(notes.allSatisfy { $0.kind == .done })
    // The biases move nothing but the rounding of double precision.
    try expectPreserves(
      Graph(text: wrapped(given), constants: tensors), within: 1e-10, by: RemoveDeadBias().apply)
  }

  @Test func evenABiasFarBeyondThePictureIsDead() throws {
    var tensors = tensors
    tensors["b3"] = StoredTensor(shape: [3], floats: [1e6, -1e6, 0])
    tensors["w3"] = weights(["w3": [3, 3, 3, 3]])["w3"]
    let text = """
      %a = conv(%x, weight: @"w3", bias: @"b3")
      %y = instance_norm(%a, epsilon: 1000)
      """
    try expectPreserves(
      Graph(text: wrapped(text), constants: tensors), within: 1e-6, by: RemoveDeadBias().apply)
  }

  @Test(arguments: [
    // Used beside the norm.
    """
    %a = conv(%x, weight: @"w", bias: @"b")
    %b = instance_norm(%a, epsilon: 1e-05)
    %c = add(%b, %a)
    %y = conv(%c, weight: @"last")
    """,
    // Used by two norms.
    """
    %a = conv(%x, weight: @"w", bias: @"b")
    %b = instance_norm(%a, epsilon: 1e-05)
    %c = batch_norm(%a, mean: @"g", variance: @"b", epsilon: 4)
    %d = add(%b, %c)
    %y = conv(%d, weight: @"last")
    """,
  ])
  func leavesAloneWhatIsUsedElsewhere(text: String) throws {
    try RemoveDeadBias().expectLeftAlone(text, tensors, subject: "w", reason: "used elsewhere too")
  }

  @Test func leavesTheOutputAlone() throws {
    var graph = try Graph(
      text: wrapped("%a = conv(%x, weight: @\"w3\", bias: @\"b3\")\n%y = instance_norm(%a, epsilon: 1)"),
      constants: weights(["w3": [3, 3, 3, 3], "b3": [3]]))
    graph.output = graph.nodes[0].result
    let before = graph
    let notes = try RemoveDeadBias().apply(&graph)
    #expect(notes.map(\.kind) == [.leftAlone])
    #expect(graph.nodes[0] == before.nodes[0])
  }

  @Test func aBiasThatIsNotFiniteIsNotDead() throws {
    var tensors = weights(["w3": [3, 3, 3, 3]])
    tensors["b3"] = StoredTensor(shape: [3], floats: [0, .nan, 0])
    try RemoveDeadBias().expectLeftAlone(
      "%a = conv(%x, weight: @\"w3\", bias: @\"b3\")\n%y = instance_norm(%a, epsilon: 1)", tensors,
      subject: "w3",
      reason: "not finite")
  }

  /// Neighbours that look alike: the bias matters, and there is nothing to say.
  @Test(arguments: [
    "%a = conv(%x, weight: @\"w3\", bias: @\"b3\")\n%b = relu(%a)\n%y = instance_norm(%b, epsilon: 1)",
    "%a = conv(%x, weight: @\"w3\", bias: @\"b3\")\n%y = batch_norm(%a, mean: @\"b3\", variance: @\"variance\", epsilon: 1)",
    """
    %a = conv(%x, weight: @"w3", bias: @"b3")
    %b = pad(%a, amounts: [1, 1, 1, 1], mode: zero)
    %y = instance_norm(%b, epsilon: 1)
    """,
  ])
  func doesNotTouch(text: String) throws {
    let (_, notes) = try RemoveDeadBias().expect(
      given: text, result: text, weights(["w3": [3, 3, 3, 3], "b3": [3], "variance": [3]]))
    #expect(notes.isEmpty)
  }
}
