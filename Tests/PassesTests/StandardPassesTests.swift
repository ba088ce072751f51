import Diagnostics
import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Passes

@Suite struct StandardPassesTests {
  private let tensors = weights([
    "c1.weight": [4, 3, 3, 3], "c1.bias": [4], "in1.weight": [4], "in1.bias": [4], "c2.weight": [4, 4, 3, 3],
    "bn.mean": [4], "bn.variance": [4], "c3.weight": [3, 4, 3, 3], "c3.bias": [3],
  ])
  /// Each pass finds work, and some only after another: the padding of nothing hides a padding, the stored norm and
  /// the scale stand between a convolution and the live norm that makes its bias dead.
  private let given = """
    %a = pad(%x, amounts: [1, 1, 1, 1], mode: reflect)
    %b = pad(%a, amounts: [0, 0, 0, 0], mode: zero)
    %c = conv(%b, weight: @"c1.weight", bias: @"c1.bias")
    %d = instance_norm(%c, gamma: @"in1.weight", beta: @"in1.bias", epsilon: 1e-05)
    %e = relu(%d)
    %f = conv(%e, weight: @"c2.weight", padding: [1, 1, 1, 1])
    %g = batch_norm(%f, mean: @"bn.mean", variance: @"bn.variance", epsilon: 0.001)
    %h = linear(%g, scale: 2, bias: 3)
    %i = instance_norm(%h, epsilon: 4)
    %j = add(%i, %e)
    %k = pad(%j, amounts: [1, 1, 1, 1], mode: zero)
    %y = conv(%k, weight: @"c3.weight", bias: @"c3.bias")
    """

  @Test func doAllThereIsToDo() throws {
    let graph = try Graph(text: wrapped(given), constants: tensors)
    let (after, notes) = try optimized(graph)
    let expected = try Graph(
      text: wrapped(
        """
        %c = conv(%x, weight: @"c1.weight", padding: [1, 1, 1, 1], padding_mode: reflect)
        %d = instance_norm(%c, gamma: @"in1.weight", beta: @"in1.bias", epsilon: 1e-05)
        %e = relu(%d)
        %f = conv(%e, weight: @"c2.weight", padding: [1, 1, 1, 1])
        %i = instance_norm(%f, epsilon: 1)
        %j = add(%i, %e)
        %y = conv(%j, weight: @"c3.weight", bias: @"c3.bias", padding: [1, 1, 1, 1])
        """), constants: tensors)
    #expect(try after.canonicalText() == expected.text)
    #expect(
      PassNote.summary(of: notes) == [
        "pad %2: removed: it changes nothing",
        "c1.weight: reflect padding fused: the convolution reads over the edges by itself",
        "c3.weight: zero padding fused: the convolution reads over the edges by itself",
        "bn.mean: stored statistics: folded into weights and bias of the convolution before it",
        "instance_norm %16: scale before it removed: a live norm takes it out again, with its epsilon rescaled",
        "2 layers: bias removed: the live norm after it subtracts it with the mean",
        "2 layers: live statistics: taken from each picture, so it cannot be folded; "
          + "the convolution before it needs no bias",
      ])
  }

  @Test func preserveTheNetwork() throws {
    let graph = try Graph(text: wrapped(given), constants: tensors)
    try expectPreserves(graph, within: 1e-6) { graph in
      let (after, notes) = try optimized(graph)
      graph = after
      return notes
    }
  }

  @Test func namesAreApart() {
    let names = standardPasses.map { type(of: $0).name }
    #expect(Set(names).count == names.count)
  }

  @Test func aGraphThatDoesNotHoldIsRefusedAsSuch() throws {
    var graph = try Graph(text: wrapped(given), constants: tensors)
    graph.nodes.swapAt(0, 1)
    let error = #expect(throws: StyleModelError.self) { try optimized(graph) }
    #expect(error?.kind == .badInput)
  }

  @Test func aPassThatBreaksTheGraphIsNamed() throws {
    struct Vandal: GraphPass {
      static let name = "vandal"
      func apply(_ graph: inout Graph) throws(StyleModelError) -> [PassNote] {
        graph.nodes.removeFirst()
        return []
      }
    }
    let graph = try Graph(text: wrapped(given), constants: tensors)
    let error = #expect(throws: StyleModelError.self) { try optimized(graph, by: [Vandal()]) }
    #expect(error?.kind == .internalFault)
    #expect(error?.message.contains("pass vandal") == true)
  }
}
