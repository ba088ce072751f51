import CKernels
import Testing

@Suite struct HalfTests {
  @Test func everyHalfSurvivesTheRoundTripOnBothPaths() {
    let halves = (0...UInt16.max).map { $0 }
    var floats = [Float](repeating: 0, count: halves.count)
    var portable = floats
    ck_half_to_float(halves, &floats, halves.count)
    ck_half_to_float_portable(halves, &portable, halves.count)
    #expect(floats.map(\.bitPattern) == portable.map(\.bitPattern))
    var back = [UInt16](repeating: 0, count: halves.count)
    ck_float_to_half(floats, &back, floats.count)
    for (half, again) in zip(halves, back) where half & 0x7C00 != 0x7C00 || half & 0x3FF == 0 {
      #expect(half == again)
    }
  }

  @Test func roundingAgreesBetweenThePaths() {
    var bits: UInt32 = 1
    var floats: [Float] = []
    for _ in 0..<200_000 {
      bits = bits &* 1_664_525 &+ 1_013_904_223
      floats.append(Float(bitPattern: bits))
    }
    floats += [65519.996, 65520, 0x1p-25, 0x1.000002p-25, 0x1.8p-24, 2049, 2051, -0.0, .infinity]
    var fast = [UInt16](repeating: 0, count: floats.count)
    var portable = fast
    ck_float_to_half(floats, &fast, floats.count)
    ck_float_to_half_portable(floats, &portable, floats.count)
    #expect(fast == portable)
    #expect(portable.suffix(9) == [0x7BFF, 0x7C00, 0, 1, 2, 0x6800, 0x6802, 0x8000, 0x7C00])
  }
}
