import ModelGraph
import Testing

@testable import Passes

@Suite struct NormCaseTests {
  /// A stored norm goes or stays; a live one always stays.
  @Test func liveNormsAreNeverFolded() {
    for norm in NormCase.allCases {
      let isLive = norm.outcome.text.hasPrefix("live statistics")
      #expect(isLive != norm.outcome.text.hasPrefix("stored statistics"))
      if isLive { #expect(norm.outcome.kind == .leftAlone) }
    }
    #expect(Set(NormCase.allCases.map(\.outcome.text)).count == NormCase.allCases.count)
  }

  @Test func theCaseIsDecidedByWhatStandsBefore() {
    let value = ValueID(1)
    let convolution = Operation.convolution(Convolution(input: value, weight: value))
    let biased = Operation.transposedConvolution(
      TransposedConvolution(input: value, weight: value, bias: value))
    let live = Operation.instanceNorm(InstanceNorm(input: value))
    let relu = Operation.activation(Activation(input: value, function: .relu))
    #expect(NormCase.stored(after: convolution, isShared: false) == .storedAfterConvolution)
    #expect(NormCase.stored(after: biased, isShared: true) == .storedAfterSharedResult)
    #expect(NormCase.stored(after: live, isShared: false) == .storedAfterNorm)
    #expect(NormCase.stored(after: live, isShared: true) == .storedAfterSharedResult)
    let conditional = Operation.conditionalInstanceNorm(
      ConditionalInstanceNorm(input: value, gamma: value, beta: value))
    #expect(NormCase.stored(after: conditional, isShared: false) == .storedAfterConditional)
    #expect(NormCase.stored(after: conditional, isShared: true) == .storedAfterSharedResult)
    #expect(NormCase.stored(after: relu, isShared: false) == .storedAfterOther)
    #expect(NormCase.stored(after: nil, isShared: true) == .storedAfterOther)
    #expect(NormCase.live(after: convolution) == .liveAfterConvolution)
    #expect(NormCase.live(after: biased) == .liveAfterBiasedConvolution)
    #expect(NormCase.live(after: nil) == .liveAfterOther)
  }
}
