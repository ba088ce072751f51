import Diagnostics
import PictureTracing
import Testing

@testable import ONNXImporter

@Suite struct FoldNodeTests {
  private func folded(
    _ operation: String, _ inputs: [Numbers?], _ attributes: [String: ONNXAttribute] = [:], outputs: Int = 1
  ) throws -> [Numbers] {
    let node = ONNXNode(
      operation: operation, domain: "", name: "", inputs: inputs.map { _ in "i" },
      outputs: (0..<outputs).map { "o\($0)" }, attributes: attributes)
    return try #require(try fold(node, inputs, operatorSet: 17))
  }

  /// What PyTorch makes of the amounts of a padding: pairs from the last axis on become beginnings, then ends.
  @Test func amountsOfAPaddingComeOutInTheStandardsOrder() throws {
    let joined = try folded(
      "Concat", [Numbers([3, 4, 1, 2]), Numbers([0, 0, 0, 0])], ["axis": .integer(0)])[0]
    let pairs = try folded("Reshape", [joined, Numbers([-1, 2])])[0]
    let turned = try folded(
      "Slice", [pairs, Numbers([-1]), Numbers([-9_223_372_036_854_775_807]), Numbers([0]), Numbers([-1])])[0]
    let transposed = try folded("Transpose", [turned], ["perm": .integers([1, 0])])[0]
    let amounts = try folded(
      "Cast", [folded("Reshape", [transposed, Numbers([-1])])[0]], ["to": .integer(7)])[0]
    #expect(amounts == Numbers([0, 0, 1, 3, 0, 0, 2, 4]))
  }

  /// What opset 9 makes of `scale_factor: 2`: floor(extent * 2) / extent.
  @Test(arguments: [1, 97, 131, 256]) func scalesComeOutWhole(extent: Int) throws {
    let scaled = try folded(
      "Mul", [folded("Cast", [Numbers([extent])], ["to": .integer(1)])[0], Numbers(shape: [], .floats([2]))])[
        0]
    let whole = try folded("Cast", [folded("Floor", [scaled])[0]], ["to": .integer(7)])[0]
    #expect(whole == Numbers([extent * 2]))
    let scale = try folded(
      "Div", [folded("Cast", [whole], ["to": .integer(1)])[0], Numbers(shape: [1], .floats([Float(extent)]))])[
        0]
    #expect(scale == Numbers(shape: [1], .floats([2])))
  }

  @Test(arguments: [
    ("Add", 7, 3, 10), ("Sub", 7, 3, 4), ("Mul", 7, 3, 21), ("Div", -7, 2, -3), ("Mod", -7, 3, 2),
    ("Max", 7, 3, 7),
    ("Min", 7, 3, 3), ("Pow", 7, 3, 343), ("Equal", 7, 7, 1), ("Less", 7, 3, 0), ("Greater", 7, 3, 1),
    ("And", 7, 0, 0),
  ]) func arithmeticOfIntegers(operation: String, left: Int, right: Int, expected: Int) throws {
    let result = try folded(operation, [Numbers([left]), Numbers([right])])[0]
    #expect(result == Numbers([expected]))
  }

  @Test func layoutOfKnownNumbers() throws {
    let six = Numbers(shape: [2, 3], .integers([1, 2, 3, 4, 5, 6]))
    #expect(
      try folded("Gather", [six, Numbers([-1, 0])], ["axis": .integer(1)])[0]
        == Numbers(shape: [2, 2], .integers([3, 1, 6, 4])))
    #expect(try folded("Transpose", [six])[0] == Numbers(shape: [3, 2], .integers([1, 4, 2, 5, 3, 6])))
    #expect(
      try folded("Concat", [six, six], ["axis": .integer(1)])[0]
        == Numbers(shape: [2, 6], .integers([1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6])))
    #expect(
      try folded("Slice", [six, Numbers([1]), Numbers([100]), Numbers([1])])[0]
        == Numbers(shape: [2, 2], .integers([2, 3, 5, 6])))
    #expect(
      try folded("Split", [six], ["axis": .integer(1), "split": .integers([1, 2])], outputs: 2)[1]
        == Numbers(shape: [2, 2], .integers([2, 3, 5, 6])))
    #expect(try folded("Unsqueeze", [six, Numbers([0, -1])])[0].shape == [1, 2, 3, 1])
    #expect(
      try folded("Squeeze", [Numbers(shape: [1, 2, 1], .integers([1, 2])), Numbers([0])])[0].shape == [2, 1])
    #expect(
      try folded("Expand", [Numbers([7]), Numbers([2, 2])])[0]
        == Numbers(shape: [2, 2], .integers([7, 7, 7, 7])))
    #expect(
      try folded(
        "Range",
        [
          Numbers(shape: [], .integers([5])), Numbers(shape: [], .integers([0])),
          Numbers(shape: [], .integers([-2])),
        ])[0] == Numbers([5, 3, 1]))
    #expect(
      try folded("ReduceProd", [six], ["axes": .integers([1]), "keepdims": .integer(0)])[0]
        == Numbers([6, 120]))
    #expect(try folded("ConstantOfShape", [Numbers([2])])[0] == Numbers(shape: [2], .floats([0, 0])))
    #expect(
      try folded("Where", [Numbers([1, 0]), Numbers([5, 6]), Numbers([7, 8])])[0] == Numbers([5, 8]))
  }

  @Test func whatCannotBeIsRefused() {
    for (operation, inputs) in [
      ("Div", [Numbers([1]), Numbers([0])]), ("Mul", [Numbers([.max]), Numbers([2])]),
      ("Add", [Numbers([1, 2]), Numbers([1, 2, 3])]), ("Gather", [Numbers([1]), Numbers([1])]),
      ("Reshape", [Numbers([1, 2]), Numbers([3])]), ("ConstantOfShape", [Numbers([1 << 31, 1 << 31])]),
      ("ConstantOfShape", [Numbers([-1])]), ("Expand", [Numbers([1]), Numbers([1 << 40])]),
      ("Slice", [Numbers([1]), Numbers([0]), Numbers([1]), Numbers([0]), Numbers([0])]),
    ] {
      #expect(throws: StyleModelError.self, "\(operation)") { try folded(operation, inputs) }
    }
  }
}
