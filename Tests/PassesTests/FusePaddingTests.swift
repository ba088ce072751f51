import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Passes

@Suite struct FusePaddingTests {
  private let tensors = weights(["w": [3, 3, 3, 3], "v": [3, 3, 2, 2], "d": [3, 1, 3, 3]])

  @Test func fusesIntoEveryUser() throws {
    let given = """
      %a = pad(%x, amounts: [1, 2, 3, 4], mode: reflect)
      %b = conv(%a, weight: @"w", stride: [2, 1])
      %c = conv(%a, weight: @"d", groups: 3, stride: [2, 1])
      %y = add(%b, %c)
      """
    let (_, notes) = try FusePadding().expect(
      given: given,
      result: """
        %b = conv(%x, weight: @"w", stride: [2, 1], padding: [1, 2, 3, 4], padding_mode: reflect)
        %c = conv(%x, weight: @"d", groups: 3, stride: [2, 1], padding: [1, 2, 3, 4], padding_mode: reflect)
        %y = add(%b, %c)
        """, tensors)
    #expect(notes.map(\.subject) == ["w", "d"])
    try expectPreserves(Graph(text: wrapped(given), constants: tensors), within: 0, by: FusePadding().apply)
  }

  @Test(arguments: ["zero", "replicate"]) func addsAmountsOfOneMode(mode: String) throws {
    let own = mode == "zero" ? "" : ", padding_mode: \(mode)"
    let given = """
      %a = pad(%x, amounts: [0, 1, 2, 0], mode: \(mode))
      %y = conv(%a, weight: @"v", padding: [1, 1, 0, 3], dilation: [2, 1]\(own))
      """
    try FusePadding().expect(
      given: given,
      result: #"%y = conv(%x, weight: @"v", padding: [1, 2, 2, 3], dilation: [2, 1]\#(own))"#, tensors)
    try expectPreserves(Graph(text: wrapped(given), constants: tensors), within: 0, by: FusePadding().apply)
  }

  @Test func anIdleModeIsNoMixture() throws {
    let given = """
      %a = pad(%x, amounts: [1, 1, 1, 1], mode: zero)
      %y = conv(%a, weight: @"w", padding_mode: reflect)
      """
    try FusePadding().expect(
      given: given, result: #"%y = conv(%x, weight: @"w", padding: [1, 1, 1, 1])"#, tensors)
    try expectPreserves(Graph(text: wrapped(given), constants: tensors), within: 0, by: FusePadding().apply)
  }

  @Test(arguments: [
    (#"%y = conv(%a, weight: @"w", padding: [1, 1, 1, 1], padding_mode: reflect)"#, "own reflect padding"),
    (#"%y = conv(%a, weight: @"w", padding: [1, 1, 1, 1])"#, "own zero padding and this reflect one"),
    ("%y = relu(%a)", "relu uses it"),
    (#"%y = conv_transpose(%a, weight: @"w")"#, "conv_transpose uses it"),
    (
      "%b = conv(%a, weight: @\"w\", padding: [1, 0, 1, 0])\n%c = conv(%a, weight: @\"w\", padding: [1, 0, 1, 0])\n%y = add(%b, %c)",
      "own zero padding"
    ),
    (
      "%b = conv(%a, weight: @\"w\")\n%c = crop(%a, amounts: [1, 1, 1, 1])\n%y = add(%b, %c)", "crop uses it"
    ),
  ])
  func leavesAlone(lines: String, reason: String) throws {
    try FusePadding().expectLeftAlone(
      "%a = pad(%x, amounts: [1, 1, 1, 1], mode: reflect)\n" + lines, tensors, subject: "pad %1",
      reason: reason)
  }

  @Test func leavesConvolutionsAloneThatPadByThePicturesSize() throws {
    try FusePadding().expectLeftAlone(
      """
      %a = pad(%x, amounts: [1, 1, 1, 1], mode: zero)
      %y = conv(%a, weight: @"w", same: upper)
      """, tensors, subject: "pad %1", reason: "follows the picture's size")
  }

  @Test func leavesTheOutputAlone() throws {
    try FusePadding().expectLeftAlone(
      "%y = pad(%x, amounts: [1, 1, 1, 1], mode: zero)", [:], subject: "pad %1",
      reason: "it is the network's output")
  }

  @Test func makesNoAmountThatCouldNotBeReadAgain() throws {
    try FusePadding().expectLeftAlone(
      """
      %a = pad(%x, amounts: [4000, 0, 0, 0], mode: zero)
      %y = conv(%a, weight: @"w", padding: [97, 0, 0, 0])
      """, tensors, subject: "pad %1", reason: "more than a convolution may have")
  }
}
