import Diagnostics
import Testing

@testable import Evaluation

@Suite struct BaselineGatesTests {
  private func held(
    _ after: EvaluationReport, against before: EvaluationReport, drop: Double = 0, growth: Double = 0
  ) throws -> EvaluationReport {
    var after = after
    let entry = try baseline(before).entry(named: "m.stylemodel")
    try after.hold(against: entry, limits: BaselineLimits(maxDrop: drop, maxGrowth: growth))
    return after
  }

  @Test func passesAgainstItself() throws {
    let same = report([try result("a", psnr: 41.25), try result("b", psnr: .infinity, ssim: 1)])
    let held = try held(same, against: same)
    #expect(held.passed && held.notes == same.notes)
    #expect(held.gates.map(\.gate) == ["baseline-psnr", "baseline-ssim", "baseline-bytes"])
    #expect(held.gates[0].checks.map(\.text) == ["41.25 -> 41.25 dB (0.00)", "inf -> inf dB (0.00)"])
  }

  @Test(arguments: [
    (50.0, 50.0, 0.0, true), (50, 49.995, 0, true), (50, 49.9, 0, false), (50, 49.6, 0.5, true),
    (50, 49.4, 0.5, false), (50, 60, 0, true), (.infinity, .infinity, 0, true), (.infinity, 60, 0.5, false),
    (.infinity, 60, .infinity, true), (60, .infinity, 0, true),
    // What machines differ by is no drop.
    (.infinity, 120, 0, true), (140, 101, 0, true), (140, 99, 0, false),
  ]) func aDropOfPSNR(before: Double, after: Double, limit: Double, passes: Bool) throws {
    let old = report([try result("a", psnr: before)])
    let new = try held(report([try result("a", psnr: after)]), against: old, drop: limit)
    #expect(new.gates[0].passed == passes && new.passed == passes, "\(new.gates[0].text)")
  }

  /// 1 - SSIM is a power: 0.01 to 0.0112 is half a dB.
  @Test(arguments: [
    (0.99, 0.98996, 0.0, false), (0.99, 0.98999, 0, true), (0.99, 0.9889, 0.5, true),
    (0.99, 0.9887, 0.5, false),
    (1, 0.999995, 0, true), (1, 0.9999, 0.5, false), (0.5, 1, 0, true),
  ]) func aDropOfSSIM(before: Double, after: Double, limit: Double, passes: Bool) throws {
    let old = report([try result("a", psnr: 40, ssim: before)])
    let new = try held(report([try result("a", psnr: 40, ssim: after)]), against: old, drop: limit)
    #expect(new.gates[1].passed == passes && new.passed == passes, "\(new.gates[1].text)")
  }

  @Test(arguments: [
    (1000, 0.0, true), (999, 0, true), (1001, 0, false), (1010, 0.01, true), (1011, 0.01, false),
  ]) func growth(bytes: Int, limit: Double, passes: Bool) throws {
    let pictures = [try result("a", psnr: 40)]
    let new = try held(report(pictures, bytes: bytes), against: report(pictures), growth: limit)
    #expect(new.gates[2].passed == passes && new.passed == passes, "\(new.gates[2].text)")
  }

  @Test func listsWhatGotWorseWithBeforeAndAfter() throws {
    let old = report([
      try result("a", psnr: 50), try result("b", psnr: 40, ssim: 0.99), try result("c", psnr: .infinity),
    ])
    let new = try held(
      report(
        [try result("a", psnr: 49), try result("b", psnr: 37, ssim: 0.9), try result("c", psnr: .infinity)],
        bytes: 1500), against: old)
    #expect(
      new.gates[0].failures.map(\.described) == [
        "40.00 -> 37.00 dB (-3.00) on b", "50.00 -> 49.00 dB (-1.00) on a",
      ])
    #expect(new.gates[1].failures.map(\.described) == ["0.99000 -> 0.90000 (-10.00 dB) on b"])
    #expect(new.gates[2].failures.map(\.described) == ["1,000 -> 1,500 (+50.00 %)"])
    #expect(new.gates[0].failures.first?.before == 40)
    for text in [new.text, new.markdown] {
      #expect(text.contains("dB (-1.00) on a") || text.contains(#"dB (-1.00) on a"#))
    }
  }

  /// One picture gone, and its drop would go unseen.
  @Test func refusesWhatCannotBeCompared() throws {
    let a = try result("a", psnr: 50)
    let b = try result("b", psnr: 50)
    var moved = a
    moved.sha256 = "digest of another picture"
    let failed = try result("a", psnr: nil)
    let cases: [(old: [PictureResult], new: [PictureResult], named: String)] = [
      ([a], [a, b], "has no picture 'b'"), ([a, b], [a], "has a picture 'b'"),
      ([a], [try result("a", psnr: 50, size: "9x9")], "at 8x8, which is 9x9 now"),
      ([a], [moved], "has another picture 'a'"), ([failed], [a], "which failed then"),
    ]
    for (old, new, named) in cases {
      let error = #expect(throws: StyleModelError.self) { try held(report(new), against: report(old)) }
      #expect(error?.kind == .badInput && error?.problem.contains(named) == true, "\(error?.message ?? "")")
    }
    var rounded = report([a])
    rounded.rounded = true
    let error = #expect(throws: StyleModelError.self) { try held(rounded, against: report([a])) }
    #expect(error?.problem.contains("rounded to 8 bits") == true)
  }

  @Test func aPictureThatFailsNowIsAFailedGate() throws {
    let new = try held(report([try result("a", psnr: nil)]), against: report([try result("a", psnr: 50)]))
    #expect(!new.passed && new.gates.map(\.passed) == [false, false, true])
  }

  @Test func anotherReferenceIsNoted() throws {
    var new = report([try result("a", psnr: 50)])
    new.reference.sha256 = "cc"
    #expect(try held(new, against: report([try result("a", psnr: 50)])).notes.last?.contains("bb") == true)
  }
}
