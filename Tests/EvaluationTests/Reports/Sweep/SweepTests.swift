import Diagnostics
import TestSupport
import Testing

@testable import Evaluation

@Suite struct SweepTests {
  private let origin = ReportOrigin(tool: "stylemodel 1")

  private func point(
    _ scheme: String, bytes: Int, _ pictures: [PictureResult], source: EvaluationReport.Subject
  ) -> EvaluationReport {
    EvaluationReport(
      candidate: .init(name: "m.\(scheme).stylemodel", storage: scheme, byteCount: bytes, sha256: ""),
      reference: source, sizes: [], pictures: pictures, rounded: false, notes: [], gates: Gates())
  }

  private func sweep(name: String = "m.pth") throws -> Sweep {
    let source = EvaluationReport.Subject(name: name, storage: "fp32", byteCount: 4_000_000, sha256: "")
    return Sweep(curves: [
      .init(
        source: source,
        points: [
          point(
            "fp32", bytes: 3_900_000, [try sampleResult("a", meanSquaredError: 0, ssim: 1)], source: source),
          point(
            "int8", bytes: 1_000_000,
            [
              try sampleResult("a", meanSquaredError: 65.025, ssim: 0.9),
              try sampleResult("b, c", meanSquaredError: 650.25, ssim: 0.7),
            ], source: source),
          point("int4", bytes: 600_000, [sampleFailure("a")], source: source),
        ])
    ])
  }

  @Test func csvHasALineAPoint() throws {
    let lines = try sweep().csv.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.count == 5 && lines[4].isEmpty)
    #expect(lines[0].hasPrefix("model,scheme,bytes,source_bytes,worst_psnr_db,"))
    #expect(lines[1] == "m.pth,fp32,3900000,4000000,inf,a,1.000000,a,inf,1,0,")
    #expect(lines[2] == "m.pth,int8,1000000,4000000,20.0000,\"b, c\",0.700000,\"b, c\",22.5964,2,0,")
    #expect(lines[3] == "m.pth,int4,600000,4000000,,,,,,1,1,")
  }

  @Test(arguments: [
    ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("=1+1", "'=1+1"),
    ("-3.5", "-3.5"), ("-x", "'-x"), ("two\nlines", "two\\u{a}lines"),
  ])
  func csvFields(text: String, expected: String) { #expect(csvField(text) == expected) }

  @Test func thePlotIsAnImageWithEveryPointThatHasFigures() throws {
    let root = try MarkupReader.xml(RateDistortionPlot(try sweep(name: "<script>.pth")).document)
    #expect(root.name == "svg" && root.attributes["xmlns"] == "http://www.w3.org/2000/svg")
    #expect(root.all("title").first?.text == "Size against the PSNR of the worst picture")
    #expect(root.all("desc").first?.text == "<script>.pth: int8 1.00 MB 20.00 dB, fp32 3.90 MB identical")
    let texts = root.all("text").map(\.text)
    #expect(texts.contains("int8") && texts.contains("fp32 (identical)") && !texts.contains("int4"))
    #expect(
      texts.contains("File size (logarithmic)")
        && texts.contains { $0.contains("PSNR of the worst picture, dB") })
    #expect(root.all("script").isEmpty && root.all("circle").count == 3)
    // Identical has no place on the scale: it stands at the edge, open.
    #expect(root.all("circle").count { $0.attributes["class"] == "open" } == 1)
  }

  @Test func anEmptyPlotIsStillOne() throws {
    let root = try MarkupReader.xml(RateDistortionPlot(Sweep(curves: [])).document)
    #expect(root.all("line").count > 4)
  }

  @Test func pageAndTablesSayTheSame() throws {
    let sweep = try sweep()
    let page = try MarkupReader.html(sweepPage(sweep, origin: origin))
    #expect(page.all("svg").count == 1 && page.all("table").count == 1)
    let rows = page.all("tbody").flatMap { $0.all("tr") }.map { $0.all("td").map(\.text) }
    #expect(rows[0] == ["3,900,000", "97.5 %", "identical", "a", "1.00000"])
    #expect(rows[1] == ["1,000,000", "25.0 %", "20.00", "b, c", "0.70000"])
    #expect(rows[2].last == "✗ failed")
    #expect(page.text.contains("1 point of 3 could not be evaluated"))
    #expect(sweep.markdown.contains("| int8 | 1,000,000 | 25.0 % | 20.00 | b, c | 0.70000 |"))
    #expect(sweep.markdown.contains("| int4 | 600,000 | 15.0 % | failed | | |"))
    #expect(!sweep.isComplete && !Sweep(curves: []).isComplete)
    #expect(
      sweep.json(tool: "t").text(indented: false).hasPrefix(
        "{\"schema\":\"stylemodel-sweep-1\",\"tool\":\"t\""))
  }

  @Test func labelsKeepClearOfEachOther() {
    let points = (0..<6).map { (x: 200 + 6 * Double($0), y: 200 - 9 * Double($0)) }
    var labels = PlotLabels(points: points, width: 800, height: 400)
    let places = points.map { labels.place("int8", at: $0) }
    #expect(Set(places).count == places.count)
    for (index, a) in places.enumerated() {
      for b in places[..<index] where a.anchor == b.anchor {
        #expect(abs(a.x - b.x) > 28 || abs(a.y - b.y) >= 13, "\(a) and \(b)")
      }
    }
  }
}
