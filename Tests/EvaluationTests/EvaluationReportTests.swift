import Diagnostics
import Testing

@testable import Evaluation

@Suite struct EvaluationReportTests {
  private func pictures() throws -> [PictureResult] {
    [
      try sampleResult("good", meanSquaredError: 1, ssim: 0.9),
      try sampleResult("bad", meanSquaredError: 100, ssim: 0.95),
    ]
  }

  @Test func theWorstPictureIsTheOneThatCounts() throws {
    let report = sampleReport(try pictures())
    #expect(report.worstPSNR?.name == "bad" && report.worstSSIM?.name == "good")
    #expect(report.passed)
    // 48.13 and 28.13 dB: their mean, 38.13, would hide the second picture.
    let pooled = try #require(report.pooled)
    #expect(abs(pooled - peakSignalToNoise(meanSquaredError: 50.5)) < 1e-9)
  }

  @Test(arguments: [
    (Gates(minPSNR: 28.13), [true]), (Gates(minPSNR: 28.14), [false]), (Gates(minPSNR: 38), [false]),
    (Gates(minSSIM: 0.9), [true]), (Gates(minSSIM: 0.9001), [false]), (Gates(minSSIM: 0.92), [false]),
    (Gates(maxBytes: 1_554_321), [true]), (Gates(maxBytes: 1_554_320), [false]),
    (Gates(minPSNR: 20, minSSIM: 0.99, maxBytes: 2_000_000), [true, false, true]), (Gates(), []),
  ])
  func gatesAreJudgedByTheWorstPicture(gates: Gates, passed: [Bool]) throws {
    let report = sampleReport(try pictures(), gates: gates)
    #expect(report.gates.map(\.passed) == passed)
    #expect(report.passed == passed.allSatisfy { $0 })
  }

  @Test func aGateNamesThePictureThatDecides() throws {
    let report = sampleReport(try pictures(), gates: Gates(minPSNR: 30, minSSIM: 0.99, maxBytes: 1))
    #expect(report.gates.map(\.gate) == ["min-psnr", "min-ssim", "max-bytes"])
    #expect(report.gates[0].text.contains("28.13 dB") && report.gates[0].text.contains("bad"))
    #expect(report.gates[1].text.contains("0.9") && report.gates[1].text.contains("good"))
    #expect(report.gates[2].text.contains("1,554,321"))
  }

  @Test func noPictureAtAllIsAFailure() {
    let report = sampleReport([], gates: Gates(minPSNR: -100, minSSIM: -1))
    #expect(!report.passed && !report.isComplete)
    #expect(report.gates.map(\.passed) == [false, false])
    #expect(report.pooled == nil && report.worstPSNR == nil)
    #expect(!sampleReport([]).passed, "without gates too")
  }

  @Test func onePictureThatFailedIsAFailure() throws {
    let report = sampleReport(try pictures() + [sampleFailure("broken.png")], gates: Gates(minPSNR: 0))
    #expect(!report.passed && report.gates.map(\.passed) == [false])
    #expect(!sampleReport(try pictures() + [sampleFailure("broken.png")]).passed)
    #expect(!sampleReport([sampleFailure("a"), sampleFailure("b")]).passed)
  }

  @Test func identicalPicturesPassEveryGate() throws {
    let report = sampleReport(
      [try sampleResult("same", meanSquaredError: 0, ssim: 1)], gates: Gates(minPSNR: .infinity, minSSIM: 1))
    #expect(report.passed && report.pooled == .infinity)
  }

  @Test func theDefinitionSaysWhatDependsOnTheRun() throws {
    let plain = sampleReport(try pictures()).definition
    #expect(plain == ImageQuality.definition() + "; outputs in float, clamped to 0…255")
    let small = sampleReport(
      [
        try sampleResult("a", meanSquaredError: 1, window: 7),
        try sampleResult("b", meanSquaredError: 1, window: 3),
        try sampleResult("c", meanSquaredError: 1),
      ], rounded: true
    ).definition
    #expect(small.hasSuffix("; pictures smaller than the window: 3x3, 7x7; outputs rounded to 8 bits"))
  }

  @Test func aWeakSetIsSaidToBeOne() throws {
    var flat = try sampleResult("flat", meanSquaredError: 1)
    if case .success(var figures) = flat.outcome {
      figures.inputIsFlat = true
      flat.outcome = .success(figures)
    }
    let good = try sampleResult("photo", meanSquaredError: 1)
    let other = try sampleResult("other", meanSquaredError: 1)
    #expect(sampleReport([flat, good]).notes == ["the set is weak: 1 picture with anything in it"])
    #expect(sampleReport([flat]).notes == ["the set is weak: 0 pictures with anything in it"])
    #expect(sampleReport([flat, good, other], notes: ["first"]).notes == ["first"])
  }
}
