import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Passes

@Suite struct AbsorbScaleTests {
  private let tensors = weights(["w": [3, 3, 3, 3], "g": [3], "h": [3]])

  @Test func rescalesEpsilon() throws {
    let given = """
      %a = conv(%x, weight: @"w")
      %b = linear(%a, scale: 4, bias: 7)
      %y = instance_norm(%b, gamma: @"g", beta: @"h", epsilon: 16)
      """
    let (_, notes) = try AbsorbScale().expect(
      given: given,
      result: """
        %a = conv(%x, weight: @"w")
        %y = instance_norm(%a, gamma: @"g", beta: @"h", epsilon: 1)
        """, tensors)
    #expect(notes.map(\.subject) == ["g"])
    try expectPreserves(
      Graph(text: wrapped(given), constants: tensors), within: 1e-12, by: AbsorbScale().apply)
  }

  @Test func aNegativeScaleTurnsGamma() throws {
    let given = """
      %b = linear(%x, scale: -0.3, bias: 7)
      %y = instance_norm(%b, gamma: @"g", beta: @"h", epsilon: 0.5)
      """
    let graph = try Graph(text: wrapped(given), constants: tensors)
    // Only epsilon is rounded to float.
    let (after, _) = try expectPreserves(graph, within: 1e-7, by: AbsorbScale().apply)
    #expect(after.nodes.count == 1)
    let gamma = try #require(after.constant(named: "g"))
    #expect(after.tensor(gamma)?.floats() == tensors["g"]?.floats().map { -$0 })
  }

  @Test func aSharedGammaIsLeftToItsOthers() throws {
    let given = """
      %a = linear(%x, scale: -2)
      %b = instance_norm(%a, gamma: @"g", beta: @"g", epsilon: 4)
      %y = instance_norm(%b, gamma: @"g", epsilon: 4)
      """
    try AbsorbScale().expect(
      given: given,
      result: """
        %b = instance_norm(%x, gamma: @"g.folded", beta: @"g", epsilon: 1)
        %y = instance_norm(%b, gamma: @"g", epsilon: 4)
        """, tensors)
    try expectPreserves(
      Graph(text: wrapped(given), constants: tensors), within: 1e-12, by: AbsorbScale().apply)
  }

  @Test func aNormWithoutGammaIsGivenOne() throws {
    let given = """
      %a = linear(%x, scale: -2)
      %y = instance_norm(%a, beta: @"h", epsilon: 4)
      """
    let (after, _) = try AbsorbScale().expect(
      given: given, result: #"%y = instance_norm(%x, gamma: @"h.gamma", beta: @"h", epsilon: 1)"#, tensors)
    #expect(after.constant(named: "h.gamma").flatMap { after.tensor($0) }?.floats() == [-1, -1, -1])
    try expectPreserves(
      Graph(text: wrapped(given), constants: tensors), within: 1e-12, by: AbsorbScale().apply)
  }

  @Test func chainsAreAbsorbedWhole() throws {
    let given = """
      %a = linear(%x, scale: -2, bias: 1)
      %b = linear(%a, scale: -0.5, bias: 1)
      %y = instance_norm(%b, epsilon: 1)
      """
    let (_, notes) = try AbsorbScale().expect(
      given: given, result: "%y = instance_norm(%x, epsilon: 1)", tensors)
    #expect(notes.count == 2)
    try expectPreserves(
      Graph(text: wrapped(given), constants: tensors), within: 1e-12, by: AbsorbScale().apply)
  }

  @Test(arguments: [
    ("%a = linear(%x, scale: 2)\n%b = instance_norm(%a, epsilon: 1)\n%y = add(%a, %b)", "used elsewhere too"),
    ("%a = linear(%x, scale: 1e-20)\n%y = instance_norm(%a, epsilon: 1)", "range of float32"),
    ("%a = linear(%x, scale: 1e20)\n%y = instance_norm(%a, epsilon: 1)", "range of float32"),
  ])
  func leavesAlone(text: String, reason: String) throws {
    try AbsorbScale().expectLeftAlone(text, [:], subject: "instance_norm %2", reason: reason)
  }

  /// A scale of zero makes every channel constant; the norm of that is beta, which no rescaling gives.
  @Test func aScaleOfZeroIsNone() throws {
    let text = "%a = linear(%x, scale: 0, bias: 1)\n%y = instance_norm(%a, beta: @\"h\", epsilon: 1)"
    let (_, notes) = try AbsorbScale().expect(given: text, result: text, tensors)
    #expect(notes.isEmpty)
  }
}
