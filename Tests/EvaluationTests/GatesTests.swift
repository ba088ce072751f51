import Testing

@testable import Evaluation

@Suite struct GatesTests {
  private func pictures() throws -> [PictureResult] {
    [
      try result("good", psnr: 50, ssim: 0.999), try result("bad", psnr: 30, ssim: 0.98),
      try result("same", psnr: .infinity, ssim: 1),
    ]
  }

  @Test(arguments: [
    (Gates(minPSNR: 29.99), true), (Gates(minPSNR: 30.01), false), (Gates(minSSIM: 0.98), true),
    (Gates(minSSIM: 0.981), false), (Gates(maxBytes: 1000), true), (Gates(maxBytes: 999), false),
    (Gates(maxRatio: 0.25), true), (Gates(maxRatio: 0.2499), false), (Gates(minPSNR: .infinity), false),
  ]) func judgesByTheWorst(gates: Gates, passes: Bool) throws {
    let report = report(try pictures(), gates: gates)
    #expect(report.gates.count == 1)
    #expect(report.gates.map(\.passed) == [passes] && report.passed == passes)
  }

  @Test func namesTheWorstFirstAndCountsTheOthers() throws {
    let gate = try #require(report(try pictures(), gates: Gates(minPSNR: 60)).gates.first)
    #expect(gate.text == "PSNR at least 60.00 dB: 30.00 dB on bad (the worst of 2 that failed)")
    #expect(gate.failures.map(\.picture) == ["bad", "good"])
    #expect(gate.checks.map(\.picture) == ["bad", "good", "same"])
    #expect(gate.checks.map(\.text) == ["30.00 dB", "50.00 dB", "inf dB"])
  }

  /// An average of nothing once counted as success.
  @Test(arguments: [Gates(minPSNR: -1000), Gates(minSSIM: -1)])
  func noFiguresNeverPass(gates: Gates) throws {
    let none = report([], gates: gates)
    #expect(!none.passed && none.gates.map(\.passed) == [false])
    let failed = report([try result("good", psnr: 50), try result("broken", psnr: nil)], gates: gates)
    #expect(!failed.passed && failed.gates.map(\.passed) == [false])
    #expect(failed.gates.first?.failures.map(\.picture) == ["broken"])
    #expect(!report([]).passed)
  }

  @Test func aRatioNeedsASource() throws {
    let report = report(try pictures(), source: nil, gates: Gates(maxRatio: 1000))
    #expect(!report.passed && report.gates.first?.text.hasSuffix("the source's size is not known") == true)
  }
}
