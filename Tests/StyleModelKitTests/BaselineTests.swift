import Diagnostics
import Files
import TestSupport
import Testing

@testable import StyleModelKit

@Suite struct BaselineTests {
  /// The mosaic network in 8 bits, its source, two pictures, and what it was worth then.
  private struct Setting {
    let folder: TemporaryFolder
    var options: EvaluationOptions

    init() throws {
      folder = try TemporaryFolder()
      try folder.copy(fixture: mosaic)
      _ = try folder.convert(mosaic, to: "m.stylemodel")
      options = EvaluationOptions(imagesFolder: folder.makeFolder("pictures"))
      for name in ["chelsea_96x64.png", "noise_96x64.png"] {
        try folder.copy(fixture: name, as: "pictures/" + name)
      }
      let before = reportJSON([try report()], tool: "test")
      options.baseline = try readBaseline(try folder.write(before.text(indented: true).utf8, as: "old.json"))
    }

    func report() throws(StyleModelError) -> EvaluationReport {
      try evaluate(try loadModel(folder.path("m.stylemodel")), options: options)
    }
  }

  @Test func keepsUpWithItself() throws {
    let report = try Setting().report()
    #expect(report.passed && report.gates.count == 3)
  }

  @Test func fewerBitsAreNoticedOnEveryPicture() throws {
    let setting = try Setting()
    _ = try setting.folder.convert(mosaic, to: "m.stylemodel", "int5")
    let report = try setting.report()
    #expect(!report.passed)
    #expect(report.gates.map(\.passed) == [false, false, true])
    #expect(Set(report.gates[0].failures.compactMap(\.picture)) == ["chelsea_96x64.png", "noise_96x64.png"])
    #expect(report.gates[0].failures.allSatisfy { ($0.before ?? 0) > ($0.value ?? .infinity) + 6 })
  }

  /// `convert` puts the scheme into the name, so a changed conversion comes under another name.
  @Test func anotherNameOfTheSameSourceIsHeldAgainstIt() throws {
    var setting = try Setting()
    setting.options.baseline?.entries[0].name = "m.int8.stylemodel"
    #expect(try setting.report().passed)
    _ = try setting.folder.convert(mosaic, to: "m.stylemodel", "int5")
    let report = try setting.report()
    #expect(report.gates.map(\.passed) == [false, false, true])
    #expect(
      report.notes.contains(
        "the baseline has m.int8.stylemodel of the same source: this is held against that"))
  }

  @Test func moreBitsAreNoticedInBytes() throws {
    var setting = try Setting()
    _ = try setting.folder.convert(mosaic, to: "m.stylemodel", "fp16")
    #expect(try setting.report().gates.map(\.passed) == [true, true, false])
    setting.options.baselineLimits.maxGrowth = 1.5
    #expect(try setting.report().passed)
  }

  /// Each changes what is compared, and must stop the evaluation.
  @Test func whatCannotBeComparedIsAnError() throws {
    let setting = try Setting()
    func problem(_ change: (inout EvaluationOptions) throws -> Void) throws -> String {
      var copy = setting
      try change(&copy.options)
      let error = failure { () throws(StyleModelError) in _ = try copy.report() }
      #expect(error?.kind == .badInput && error?.file?.hasSuffix("old.json") == true)
      return error?.problem ?? ""
    }
    #expect(try problem { $0.imagesFolder = nil }.hasPrefix("has no picture 'astronaut'"))
    #expect(try problem { $0.rounded = true }.contains("rounded to 8 bits"))
    #expect(
      try problem {
        $0.baseline?.entries[0].name = "other.stylemodel"
        $0.baseline?.entries[0].referenceSHA256 = "another source"
      } == "has no model 'm.stylemodel', only other.stylemodel")
    #expect(
      try problem {
        guard var twin = $0.baseline?.entries[0] else { return }
        twin.name = "x.stylemodel"
        $0.baseline?.entries = [twin]
        twin.name = "y.stylemodel"
        $0.baseline?.entries.append(twin)
      } == "has no model 'm.stylemodel', and several of the same source: x.stylemodel, y.stylemodel")
    try setting.folder.copy(fixture: "coffee_131x97.png", as: "pictures/noise_96x64.png")
    #expect(try problem { _ in } == "has picture 'noise_96x64.png' at 96x64, which is 131x97 now")
    try setting.folder.copy(fixture: "chelsea_96x64.png", as: "pictures/noise_96x64.png")
    #expect(try problem { _ in }.hasPrefix("has another picture 'noise_96x64.png'"))
  }

  @Test func aFileThatIsNotThereOrNotJSONIsAnError() throws {
    let folder = try TemporaryFolder()
    let missing = failure { () throws(StyleModelError) in _ = try readBaseline(folder.path("none.json")) }
    #expect(missing?.kind == .cannotOpen)
    let path = try folder.write("passed\n".utf8, as: "old.json")
    let other = failure { () throws(StyleModelError) in _ = try readBaseline(path) }
    #expect(other?.kind == .badInput && other?.file == path)
  }

  @Test func aRatioNeedsARecordedSource() throws {
    var options = EvaluationOptions(reference: .model(fixturePath(mosaic)))
    options.gates.maxRatio = 1
    let error = failure { () throws(StyleModelError) in
      _ = try evaluate(try loadModel(fixturePath(mosaic)), options: options)
    }
    #expect(error?.kind == .badInput && error?.remedy?.contains("--max-bytes") == true)
  }
}
