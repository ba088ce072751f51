import Tensors
import Testing

@testable import Passes

@Suite struct ChannelAffineTests {
  /// The output channel of every weight, spelt out.
  @Test func knowsWhereOutputChannelsLie() {
    func channels(_ layout: KernelLayout, _ count: Int) -> [Int] { (0..<count).map(layout.channel(at:)) }
    #expect(channels(KernelLayout(gamma: [3]), 3) == [0, 1, 2])
    #expect(channels(KernelLayout(convolution: [3, 2, 1, 2]), 12) == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2])
    // [C_in 2, C_out 3, 1, 2]: both input channels reach all output channels.
    #expect(
      channels(KernelLayout(transposed: [2, 3, 1, 2], groups: 1), 12) == [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2])
    // [C_in 4, C_out 4 in 2 groups, 1, 1]: input channels 0 and 1 reach 0 and 1, input channels 2 and 3 the rest.
    #expect(channels(KernelLayout(transposed: [4, 2, 1, 1], groups: 2), 8) == [0, 1, 0, 1, 2, 3, 2, 3])
    // Depthwise.
    #expect(channels(KernelLayout(transposed: [3, 1, 1, 2], groups: 3), 6) == [0, 0, 1, 1, 2, 2])
  }
}
