import Diagnostics
import Tensors
import TestSupport
import Testing

@testable import Quantization

@Suite struct QuantizeToIntegersTests {
  static let forms: [IntegerForm] = (2...8).flatMap { bits in
    [false, true].flatMap { isAffine in
      [nil, 0, 1].map { IntegerForm(bits: bits, isAffine: isAffine, axis: $0) }
    }
  }

  /// From the smallest normal float to the largest, and what lies below.
  static let magnitudes: [Float] =
    [0x1p-149, 0x1p-146, 0x1p-140, 0x1p-133, .leastNormalMagnitude, 1.5e-38]
    + (-37...38).map { Float("1e\($0)") ?? 0 } + [.greatestFiniteMagnitude / 2, .greatestFiniteMagnitude]

  /// Checks `|w − ŵ| ≤ scale/2` for every number, with a few units in the last place of the channel's largest, and
  /// that no scale is greater than its channel needs.
  func expectBound(_ floats: [Float], shape: Shape, form: IntegerForm) throws {
    guard let tensor = try quantizeToIntegers(floats, shape: shape, form: form),
      case .affine(let encoding) = tensor.encoding
    else {
      let span = Double(floats.max() ?? 0) - Double(floats.min() ?? 0)
      #expect(form.isAffine && span > Double(Float.greatestFiniteMagnitude) * 0.999, "\(form) gave up")
      return
    }
    let decoded = tensor.floats()
    let steps = Double(form.steps)
    forEachRun(shape: shape, axis: form.axis) { channel, run in
      let scale = Double(encoding.scales[channel])
      var members: [Float] = []
      forEachRun(shape: shape, axis: form.axis) { if $0 == channel { members += floats[$1] } }
      let low = Double(members.min() ?? 0)
      let high = Double(members.max() ?? 0)
      let extent = form.isAffine ? high - low : max(abs(low), abs(high))
      let unit = Double(Float(max(abs(low), abs(high))).ulp)
      if extent > 0 {
        let excess = scale - extent / steps
        #expect(excess <= Double(Float(scale).ulp), "\(form): a scale of \(scale) for \(extent)")
      }
      for index in run {
        let error = abs(Double(floats[index]) - Double(decoded[index]))
        #expect(error <= scale / 2 + 2 * unit, "\(form): \(floats[index]) came back as \(decoded[index])")
      }
    }
  }

  @Test(arguments: forms) func staysWithinHalfAStep(form: IntegerForm) throws {
    var random = SeededRandom(seed: 1)
    let shape: Shape = [4, 3, 2, 2]
    for magnitude in Self.magnitudes {
      try expectBound(random.floats(shape.count).map { $0 * magnitude }, shape: shape, form: form)
    }
  }

  @Test(arguments: forms) func channelsOfEveryMagnitudeLiveTogether(form: IntegerForm) throws {
    var random = SeededRandom(seed: 2)
    let channels = Self.magnitudes.count
    let perChannel = Self.magnitudes.map { magnitude in random.floats(5).map { $0 * magnitude } }
    if form.axis == 1 {
      let floats = (0..<5).flatMap { tap in perChannel.map { $0[tap] } }
      try expectBound(floats, shape: [5, channels, 1, 1], form: form)
    } else {
      try expectBound(perChannel.flatMap { $0 }, shape: [channels, 5, 1, 1], form: form)
    }
  }

  @Test(arguments: forms) func oneNumberOneValueAndZeros(form: IntegerForm) throws {
    for value: Float in [0, -0.0, 1, -3.25, .leastNonzeroMagnitude, -.leastNormalMagnitude, 1e38] {
      try expectBound([value], shape: [1, 1, 1, 1], form: form)
      try expectBound([Float](repeating: value, count: 12), shape: [2, 3, 2, 1], form: form)
    }
    let zeros = try #require(
      try quantizeToIntegers([Float](repeating: 0, count: 8), shape: [2, 2, 2, 1], form: form))
    #expect(zeros.floats().allSatisfy { $0 == 0 })
    #expect(zeros.quantizedIntegers()?.allSatisfy { $0 == 0 } == true)
  }

  /// A channel without weights beside others, one of them tiny: neither 0 / 0 nor a scale that vanishes.
  @Test(arguments: forms.filter { $0.axis == 0 }) func aZeroChannelBesideOthersStaysZero(form: IntegerForm)
    throws
  {
    let floats: [Float] = [0, 0, 0, 1e-6, -3e-7, 8e-7, 5, -2, 1]
    let tensor = try #require(try quantizeToIntegers(floats, shape: [3, 3, 1, 1], form: form))
    #expect(Array(tensor.floats()[..<3]) == [0, 0, 0])
    #expect(tensor.quantizedIntegers()?.prefix(3) == [0, 0, 0])
    guard case .affine(let encoding) = tensor.encoding else {
      Issue.record("\(tensor.encoding)")
      return
    }
    #expect(encoding.scales[0] == 1 && encoding.scales.allSatisfy { $0.isNormal })
    try expectBound(floats, shape: [3, 3, 1, 1], form: form)
  }

  @Test func affineConstantsAndLeastWeightsAreExact() throws {
    let form = IntegerForm(bits: 4, isAffine: true, axis: 0)
    let floats: [Float] = [0.3, 0.3, 0.3, -1.7, 0.2, 5.1]
    let tensor = try #require(try quantizeToIntegers(floats, shape: [2, 3, 1, 1], form: form))
    #expect(Array(tensor.floats()[..<3]) == [0.3, 0.3, 0.3])
    #expect(tensor.floats()[3] == -1.7)
    #expect(tensor.quantizedIntegers()?[5] == 15)
  }

  @Test func roundsHalvesToEven() throws {
    let floats: [Float] = [127, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 126.5]
    let tensor = try #require(
      try quantizeToIntegers(
        floats, shape: [1, 8, 1, 1], form: IntegerForm(bits: 8, isAffine: false, axis: 0)))
    #expect(tensor.quantizedIntegers() == [127, 0, 2, 2, 0, -2, -2, 126])
  }

  /// A picture's quality cannot tell a wrong axis from a right one; coming back exactly can.
  @Test(arguments: [0, 1]) func integersTimesAScaleAChannelComeBackExactly(axis: Int) throws {
    var random = SeededRandom(seed: 3)
    let shape: Shape = [6, 5, 3, 3]
    var floats = [Float](repeating: 0, count: shape.count)
    let scales = (0..<shape[axis]).map { Float(0x1p-9) * Float($0 * 2 + 1) }
    var started: Set<Int> = []
    forEachRun(shape: shape, axis: axis) { channel, run in
      for index in run {
        // Each channel must reach 127 for its scale to be found again.
        let integer = started.insert(channel).inserted ? 127 : Int.random(in: -127...127, using: &random)
        floats[index] = Float(integer) * scales[channel]
      }
    }
    let right = try #require(
      try quantizeToIntegers(floats, shape: shape, form: IntegerForm(bits: 8, isAffine: false, axis: axis)))
    #expect(right.floats() == floats)
    guard case .affine(let encoding) = right.encoding else {
      Issue.record("\(right.encoding)")
      return
    }
    #expect(encoding.scales == scales)
    let wrong = try #require(
      try quantizeToIntegers(
        floats, shape: shape, form: IntegerForm(bits: 8, isAffine: false, axis: 1 - axis)))
    #expect(wrong.floats() != floats)
  }

  @Test func theGreatestFloatsDoNotOverflow() throws {
    let greatest = Float.greatestFiniteMagnitude
    for bits in 2...8 {
      let symmetric = try #require(
        try quantizeToIntegers(
          [greatest, -greatest, 1], shape: [1, 3, 1, 1],
          form: IntegerForm(bits: bits, isAffine: false, axis: 0)))
      #expect(symmetric.floats().allSatisfy { $0.isFinite })
      let affine = try quantizeToIntegers(
        [greatest, -greatest, 1], shape: [1, 3, 1, 1], form: IntegerForm(bits: bits, isAffine: true, axis: 0))
      #expect(affine == nil)
    }
  }
}
