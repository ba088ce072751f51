import Diagnostics
import Testing

@testable import Evaluation

@Suite struct BaselineReadTests {
  @Test func readsWhatReportsWrite() throws {
    let old = try baseline(
      report([
        try result("a", psnr: 41.25, ssim: 0.97), try result("b", psnr: .infinity),
        try result("c", psnr: nil),
      ]))
    let entry = try old.entry(named: "m.stylemodel")
    #expect(entry.byteCount == 1000 && entry.referenceSHA256 == "bb" && !entry.rounded)
    #expect(entry.pictures.map(\.name) == ["a", "b", "c"])
    #expect(abs((entry.pictures[0].psnr ?? 0) - 41.25) < 1e-9 && entry.pictures[0].ssim == 0.97)
    #expect(entry.pictures[1].psnr == .infinity && entry.pictures[1].sha256 == "digest of b")
    #expect(entry.pictures[2].psnr == nil)
    let error = #expect(throws: StyleModelError.self) { try old.entry(named: "n.stylemodel") }
    #expect(
      error?.kind == .badInput && error?.message.hasPrefix("old.json: has no model 'n.stylemodel'") == true)
  }

  /// A baseline that cannot be used must never look like one that was kept.
  @Test(arguments: [
    ("", "byte 0"), ("no json", "byte 0"), ("[]", "document: is not an object"), ("{}", "has no 'schema'"),
    (
      #"{"schema": "stylemodel-report-2", "models": []}"#,
      "is 'stylemodel-report-2', not 'stylemodel-report-1'"
    ),
    (#"{"schema": 1}"#, "schema: is not a string"),
    (#"{"schema": "stylemodel-report-1"}"#, "has no 'models'"),
    (#"{"schema": "stylemodel-report-1", "models": {}}"#, "models: is not an array"),
    (#"{"schema": "stylemodel-report-1", "models": [{}]}"#, "models[0]: has no 'model'"),
    (#"{"schema": "stylemodel-report-1", "models": [], "models": []}"#, "twice"),
  ]) func refuses(text: String, named: String) {
    let error = #expect(throws: StyleModelError.self) {
      try Baseline(parsing: Array(text.utf8), path: "b.json")
    }
    #expect(error?.kind == .badInput && error?.message.hasPrefix("b.json: ") == true)
    #expect(error?.message.contains(named) == true, "\(error?.message ?? "")")
  }

  /// Each of these is a report with one thing wrong in it.
  @Test(arguments: [
    (#""psnr_db": 50"#, #""psnr_db": "50""#, "models[0].pictures[0].psnr_db: is not a number"),
    (
      #""psnr_db": 50"#, #""psnr_db": null"#, "psnr_db: is not null for identical pictures, and for no others"
    ),
    (#""identical": false,"#, "", "models[0].pictures[0]: has no 'identical'"),
    (#""rounded": false"#, #""rounded": 0"#, "models[0].rounded: is not true or false"),
    (#""bytes": 1000"#, #""bytes": -1"#, "models[0].model.bytes: is not a whole number"),
  ]) func namesThePlace(good: String, bad: String, named: String) throws {
    var one = report([try result("a", psnr: 50)])
    // 50 dB exactly, so that the text below is known.
    one.pictures[0].outcome = one.pictures[0].outcome.map { figures in
      var figures = figures
      figures.quality = ImageQuality(meanSquaredError: 0.65025, ssim: 0.5, ssimWindow: 7)
      return figures
    }
    let text = reportJSON([one], tool: "test").text(indented: true)
    // The last place is the picture's.
    let parts = text.split(separator: good, omittingEmptySubsequences: false)
    let tail = try #require(parts.count > 1 ? parts.last : nil, "\(text)")
    let rest = bad.hasPrefix(#""psnr_db": "#) ? tail.drop { $0 != "," } : tail
    let changed = parts.dropLast().joined(separator: good) + bad + rest
    let error = #expect(throws: StyleModelError.self) {
      try Baseline(parsing: Array(changed.utf8), path: "b.json")
    }
    #expect(error?.message.contains(named) == true, "\(error?.message ?? "")")
  }

  @Test func refusesTwoOfAName() throws {
    let one = report([try result("a", psnr: 50)])
    #expect(throws: StyleModelError.self) { try baseline(one, one) }
    let twice = report([try result("a", psnr: 50), try result("a", psnr: 40)])
    #expect(throws: StyleModelError.self) { try baseline(twice) }
  }
}
