import ModelGraph
import Testing

@testable import Passes

@Suite struct RemoveIdentitiesTests {
  @Test(arguments: [
    "pad(%x, amounts: [0, 0, 0, 0], mode: reflect)",
    "crop(%x, amounts: [0, 0, 0, 0])",
    "upsample(%x, factor: [1, 1], mode: nearest)",
    "upsample(%x, factor: [1, 1], mode: bilinear)",
    "linear(%x, scale: 1)",
    "leaky_relu(%x, slope: 1)",
  ])
  func removes(operation: String) throws {
    let (_, notes) = try RemoveIdentities().expect(
      given: "%i = \(operation)\n%y = relu(%i)", result: "%y = relu(%x)", [:])
    #expect(notes.map(\.kind) == [.done])
  }

  @Test func removesChainsAndAllTheirUses() throws {
    let (_, notes) = try RemoveIdentities().expect(
      given: """
        %a = relu(%x)
        %b = linear(%a, scale: 1)
        %c = crop(%b, amounts: [0, 0, 0, 0])
        %d = add(%c, %a)
        %e = mul(%d, %c)
        %y = pad(%e, amounts: [0, 0, 0, 0], mode: zero)
        """,
      result: """
        %a = relu(%x)
        %d = add(%a, %a)
        %y = mul(%d, %a)
        """, [:])
    #expect(notes.count == 3)
  }

  @Test func aNetworkOfIdentitiesGivesBackItsInput() throws {
    var graph = try Graph(text: wrapped("%y = linear(%x, scale: 1)"), constants: [:])
    _ = try RemoveIdentities().apply(&graph)
    try graph.verify()
    #expect(graph.output == graph.input.value && graph.nodes.isEmpty)
  }

  @Test(arguments: [
    "pad(%x, amounts: [0, 0, 0, 1], mode: zero)",
    "crop(%x, amounts: [1, 0, 0, 0])",
    "upsample(%x, factor: [1, 2], mode: nearest)",
    "linear(%x, scale: 1, bias: 0.5)",
    "linear(%x, scale: -1)",
    "leaky_relu(%x, slope: 0.5)",
    "relu(%x)",
  ])
  func keeps(operation: String) throws {
    let (_, notes) = try RemoveIdentities().expect(
      given: "%y = \(operation)", result: "%y = \(operation)", [:])
    #expect(notes.isEmpty)
  }
}
