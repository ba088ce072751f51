import Diagnostics
import Imaging
import TestSupport
import Testing

@testable import Evaluation

@Suite struct EvaluationPageTests {
  private let origin = ReportOrigin(
    tool: "stylemodel 1", words: ["stylemodel", "eval", "it's mine.stylemodel"])

  private func report(_ name: String = "photo.png", model: String = "m.stylemodel") throws -> EvaluationReport
  {
    let picture = samplePicture()
    var other = picture
    other.samples[7] += 6
    var shown = try sampleResult(name, meanSquaredError: 36.0 / 576)
    shown.exhibit = Exhibit(original: picture, reference: picture, candidate: other)
    var report = EvaluationReport(
      candidate: .init(name: model, storage: "int8", byteCount: 1_000, sha256: "ab"),
      reference: .init(name: "m.pth", storage: "fp32", byteCount: 4_000, sha256: "cd"),
      sizes: [],
      shares: [
        .init(layer: "first", storage: "int8", byteCount: 700),
        .init(layer: "first", storage: "fp16", byteCount: 60),
        .init(layer: "last", storage: "int8", byteCount: 200),
        .init(layer: "header", storage: nil, byteCount: 40),
      ],
      pictures: [try sampleResult("better", meanSquaredError: 0.001), sampleFailure("broken"), shown],
      rounded: false, notes: ["take <care>"], gates: Gates(minPSNR: 70))
    report.layers = [
      LayerNoise(
        name: "first", shape: "[8, 3, 9, 9]", storage: "int8", signal: 1000, ownNoise: 1, arrivedNoise: 1),
      LayerNoise(
        name: "last", shape: "[3, 8, 9, 9]", storage: "int8", signal: 500, ownNoise: 0, arrivedNoise: 2),
    ]
    return report
  }

  @Test func isWholeAndInOrder() throws {
    let page = try MarkupReader.html(evaluationPage([try report()], origin: origin))
    #expect(page.all("title").map(\.text) == ["m.stylemodel"])
    #expect(
      page.all("h2").map(\.text) == [
        "Verdict", "Where the bytes are", "Pictures, worst first", "Look at it", "Layers",
        "What the figures mean", "To reproduce",
      ])
    #expect(page.all("code").last?.text == "stylemodel eval 'it'\\''s mine.stylemodel'")
    let tables = page.all("table")
    #expect(tables.count == 3)
    // Bytes: by layer and kind, and the sum.
    let bytes = tables[0].all("tr").map { $0.children.elements.map(\.text) }
    #expect(bytes[0] == ["Layer", "int8", "fp16", "header and alignment", "Bytes", "Share"])
    #expect(bytes[1] == ["first", "700", "60", "", "760", "76.0 %"])
    #expect(bytes[4] == ["The file", "900", "60", "40", "1,000", "100 %"])
    // Pictures: what failed, then the worst.
    let names = tables[1].all("tbody").flatMap { $0.all("th") }.map(\.text)
    #expect(names == ["broken", "photo.png", "better"])
    #expect(page.all("article").count == 1 && page.all("img").count == 4)
    #expect(page.all("img").allSatisfy { $0.attributes["alt"]?.isEmpty == false })
    // Layers: own noise, its share, and what has arrived.
    let layers = tables[2].all("tbody").flatMap { $0.all("tr") }.map { $0.children.elements.map(\.text) }
    #expect(layers[0][3...] == ["30.0", "100.0 %", "30.0"])
    #expect(layers[1][3...] == ["no noise", "0 %", "24.0"])
    #expect(layers[0][1].contains("▲ noisiest") && !layers[1][1].contains("noisiest"))
  }

  /// Every attribute that could load or run something is of this program's making.
  @Test func hostileNamesStayTexts() throws {
    let name = "<script>alert(1)</script>\"onerror=\"x\u{202E}.png"
    let source = evaluationPage(
      [try report(name, model: name)],
      failures: [StyleModelError(.badInput, file: "<img src=x>", "is no model")],
      origin: ReportOrigin(tool: "stylemodel 1", words: ["stylemodel", "eval", name]))
    let page = try MarkupReader.html(source)
    #expect(page.all("script").count == 1 && page.all("script").first?.text.contains("alert") == false)
    #expect(page.all("img").count == 4)
    for element in page.everything {
      for (key, value) in element.attributes {
        #expect(!key.hasPrefix("on"), "\(element.name) has \(key)")
        if key == "src" { #expect(value.hasPrefix("data:image/")) }
        if key == "href" { #expect(value.hasPrefix("#")) }
      }
    }
    #expect(page.all("h3").first?.text == "<script>alert(1)</script>\"onerror=\"x\\u{202e}.png")
    #expect(!source.contains("http://") && !source.contains("https://") && !source.contains("url("))
  }

  @Test func severalModelsAndFailuresHaveAnOverview() throws {
    let failure = StyleModelError(.badInput, file: "c.stylemodel", "is cut off")
    let page = try MarkupReader.html(
      evaluationPage([try report(), try report(model: "b.stylemodel")], failures: [failure], origin: origin))
    #expect(page.all("h1").map(\.text) == ["3 models evaluated"])
    #expect(page.text.contains("c.stylemodel: is cut off"))
    let ids = page.everything.compactMap { $0.attributes["id"] }
    #expect(Set(ids).count == ids.count)
    let targets = page.all("a").compactMap { $0.attributes["href"]?.dropFirst() }.map(String.init)
    #expect(!targets.isEmpty && Set(targets).isSubset(of: ids))
    let empty = try MarkupReader.html(evaluationPage([], origin: origin))
    #expect(empty.text.contains("No model was evaluated."))
  }

  /// What the JSON, the Markdown and JUnit say of the same report.
  @Test func allFormatsNameWhatFailed() throws {
    let report = try report()
    for format in ReportFormat.allCases {
      let text = format.text([report], origin: origin)
      #expect(text.contains("broken") && text.contains("photo.png"), "\(format)")
      #expect(text.contains("min-psnr"), "\(format)")
      #expect(
        format == .json ? text.contains("\"passed\": false") : text.lowercased().contains("fail"), "\(format)"
      )
    }
  }
}

extension [MarkupReader.Node] {
  fileprivate var elements: [MarkupReader.Element] {
    compactMap { if case .element(let element) = $0 { element } else { nil } }
  }
}

extension MarkupReader.Element {
  fileprivate var everything: [MarkupReader.Element] { [self] + children.elements.flatMap(\.everything) }
}
