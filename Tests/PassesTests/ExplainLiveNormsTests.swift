import ModelGraph
import Tensors
import Testing

@testable import Passes

@Suite struct ExplainLiveNormsTests {
  private let tensors = weights(["w": [3, 3, 1, 1], "b": [3], "g": [3], "variance": [3]])

  @Test(arguments: [
    ("%a = conv(%x, weight: @\"w\")", NormCase.liveAfterConvolution),
    ("%a = conv_transpose(%x, weight: @\"w\")", .liveAfterConvolution),
    ("%a = conv(%x, weight: @\"w\", bias: @\"b\")", .liveAfterBiasedConvolution),
    ("%a = relu(%x)", .liveAfterOther),
    ("%a = batch_norm(%x, mean: @\"b\", variance: @\"variance\", epsilon: 1)", .liveAfterOther),
  ])
  func saysWhatStandsBefore(line: String, expected: NormCase) throws {
    try ExplainLiveNorms().expectLeftAlone(
      line + "\n%y = instance_norm(%a, gamma: @\"g\", epsilon: 1e-05)", tensors, subject: "g",
      reason: expected.outcome.text)
  }

  @Test func namesNormsWithoutWeightsByTheirValue() throws {
    try ExplainLiveNorms().expectLeftAlone(
      "%y = instance_norm(%x, epsilon: 1e-05)", [:], subject: "instance_norm %1", reason: "cannot be folded")
  }
}
