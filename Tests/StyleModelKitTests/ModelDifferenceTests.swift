import TestSupport
import Testing

@testable import StyleModelKit

@Suite struct ModelDifferenceTests {
  private func model(_ text: String) throws -> Model {
    let graph = try Graph(text: text, constants: [:])
    return Model(
      path: "a", container: "text", byteCount: text.utf8.count, sha256: Array(text.utf8), graph: graph,
      notes: [])
  }

  private func graph(_ lines: String, output: String) -> String {
    "graph {\n  pixels(unit)\n  input %0 \"image\"\n\(lines)\n  output \(output)\n}\n"
  }

  /// Numbers of values mean nothing; what an operation works on does.
  @Test func tellsOtherWiringFromOtherNumbers() throws {
    let first = graph("  %1 = relu(%0)\n  %2 = tanh(%1)\n  %3 = add(%1, %2)", output: "%3")
    let renumbered = graph("  %5 = relu(%0)\n  %7 = tanh(%5)\n  %9 = add(%5, %7)", output: "%9")
    let rewired = graph("  %1 = relu(%0)\n  %2 = tanh(%1)\n  %3 = add(%0, %2)", output: "%3")
    let same = ModelDifference(try model(first), try model(renumbered))
    #expect(same.sameNetwork && !same.sameFile)
    let other = ModelDifference(try model(first), try model(rewired))
    #expect(other.isRewired && !other.sameNetwork && other.operations.isEmpty)
    let shorter = ModelDifference(
      try model(first), try model(graph("  %1 = relu(%0)\n  %2 = tanh(%1)", output: "%2")))
    #expect(shorter.operations == [.init(isInB: false, operation: "add(%, %)")])
  }

  @Test func measuresNumbers() {
    let a = StoredTensor(shape: [4], floats: [1, 2, 3, 4])
    let b = StoredTensor(shape: [4], floats: [1, 2, 3, 4.5])
    #expect(TensorDistance(a, a).greatest == 0 && TensorDistance(a, a).signalToNoise == .infinity)
    let distance = TensorDistance(a, b)
    #expect(distance.greatest == 0.5 && abs(distance.signalToNoise - 20.792) < 1e-3)
    let broken = StoredTensor(shape: [4], floats: [1, .nan, 3, 9])
    #expect(TensorDistance(a, broken).greatest.isNaN)
  }
}
