import Diagnostics
import Evaluation
import Files
import TestSupport
import Testing

@testable import Catalogue

@Suite struct PartFileTests {
  @Test func isReadBackToTheBit() throws {
    let folder = try TemporaryFolder()
    let plan = try samplePlan()
    let file = try samplePart(folder, plan, "1/2")
    #expect(folder.names == ["part-1-of-2.json"])
    let part = try Part(path: file.path)
    #expect(part.plan == plan && part.shard == Shard("1/2") && part.tool == "stylemodel 1")
    #expect(part.units.map { plan.index(of: $0.unit) } == Array(plan.units(of: part.shard)))
    for unit in part.units {
      let expected = try sampleOutcome(unit.unit, in: plan)
      #expect(unit.outcome.picture.figures == expected.picture.figures)
      #expect(unit.outcome.json == expected.json)
    }
    let heads = part.heads.map { sampleHead(.init(model: $0.model, scheme: $0.scheme, picture: 0), in: plan) }
    #expect(part.heads.map(\.head) == heads)
  }

  /// A run that was stopped is gone on with; units of another tool, of other inputs, or that failed are done anew.
  @Test func anotherRunTakesOverWhatIsDone() throws {
    let folder = try TemporaryFolder()
    let plan = try samplePlan()
    _ = try samplePart(folder, plan, "1/1", units: 2..<5)
    func taken(_ plan: CataloguePlan, tool: String = "stylemodel 1") throws -> [Int] {
      let again = PartFile(
        folder: folder.path, plan: plan, shard: try #require(Shard("1/1")), tool: tool, clock: { 0 })
      return (0..<plan.unitCount).filter(again.isDone)
    }
    #expect(try taken(plan) == [2, 3, 4])
    #expect(try taken(plan, tool: "stylemodel 2") == [])
    #expect(try taken(samplePlan(measuring: ["--rounded"])) == [])
    // With a third model and other gates the same units have the same places here.
    #expect(try taken(samplePlan(models: 3, judging: ["--min-psnr=1"])) == [2, 3, 4])
    let file = PartFile(
      folder: folder.path, plan: plan, shard: try #require(Shard("1/1")), tool: "stylemodel 1", clock: { 0 })
    #expect(file.doneCount == 3 && file.hasHead(model: 0, scheme: 0))
    var failed = try sampleOutcome(plan.unit(at: 6), in: plan)
    failed.picture.outcome = .failure(StyleModelError(.cannotOpen, file: "x", "is gone", remedy: "look"))
    try file.add(failed, at: 6)
    try file.save()
    #expect(file.failedCount == 1)
    let part = try Part(path: file.path)
    guard case .failure(let error) = part.units.last?.outcome.picture.outcome else {
      Issue.record("the failure is not there")
      return
    }
    #expect(error == StyleModelError(.cannotOpen, file: "x", "is gone", remedy: "look"))
    #expect(try taken(plan) == [2, 3, 4])
  }

  @Test func aFileThatCannotBeReadIsReplaced() throws {
    let folder = try TemporaryFolder()
    let plan = try samplePlan()
    try folder.write("{\"schema\":".utf8, as: "part-1-of-1.json")
    let file = try samplePart(folder, plan, "1/1")
    #expect(try Part(path: file.path).units.count == plan.unitCount)
  }

  /// An engine that has lost sight of a node starts its shard again elsewhere; the first one may still be at work.
  @Test func twoProcessesOnOneShardUndoNothing() throws {
    let folder = try TemporaryFolder()
    let plan = try samplePlan()
    let shard = try #require(Shard("1/1"))
    let files = (0..<2).map { _ in
      PartFile(folder: folder.path, plan: plan, shard: shard, tool: "t", clock: { 0 })
    }
    for (index, file) in [(0, 0), (1, 1), (2, 1), (3, 0)] {
      let unit = plan.unit(at: index)
      files[file].add(sampleHead(unit, in: plan), model: unit.model, scheme: unit.scheme)
      try files[file].add(try sampleOutcome(unit, in: plan), at: index)
      #expect(try Part(path: files[file].path).units.count == index + 1)
    }
    #expect(files[0].isDone(2) && files[0].doneCount == 4)
  }

  /// A save that takes long is done seldom.
  @Test func savesTakeAShareOfTheTime() throws {
    let folder = try TemporaryFolder()
    let plan = try samplePlan()
    let clock = TestClock()
    let file = PartFile(
      folder: folder.path, plan: plan, shard: try #require(Shard("1/1")), tool: "t", clock: { clock.tick() })
    func add(_ index: Int) throws -> Int {
      let unit = plan.unit(at: index)
      file.add(sampleHead(unit, in: plan), model: unit.model, scheme: unit.scheme)
      try file.add(try sampleOutcome(unit, in: plan), at: index)
      return try Part(path: file.path).units.count
    }
    // Each look at the clock is a second later: a save takes one, so that the next is due twenty later.
    #expect(try add(0) == 1)
    #expect(try (1..<6).map { try add($0) } == [1, 1, 1, 1, 1])
    clock.skip(20)
    #expect(try add(6) == 7)
    try file.save()
    #expect(try Part(path: file.path).units.count == 7)
  }

  /// Only the worst pictures are carried, as in a report.
  @Test func surplusPicturesAreLeftOut() throws {
    let folder = try TemporaryFolder()
    let plan = try samplePlan(models: 1, schemes: 1, pictures: greatestExhibitCount + 3)
    let file = PartFile(
      folder: folder.path, plan: plan, shard: try #require(Shard("1/1")), tool: "t", clock: { 0 })
    var members = try #require(try sampleOutcome(plan.unit(at: 0), in: plan).json.members)
    let picture: JSONValue = ["format": "png", "base64": "AAEC/w=="]
    members.append(
      .init(
        "exhibit",
        [
          "original": picture, "reference": picture, "candidate": picture, "errors": picture, "width": 4,
          "height": 3, "scaled_down": false, "shares_above": [0.5, 0.25, 0], "greatest_error": 7.5,
        ]))
    let shown = try UnitOutcome(JSONPlace(.object(members), remedy: ""))
    for index in 0..<plan.unitCount {
      var outcome = try sampleOutcome(plan.unit(at: index), in: plan)
      outcome.picture.exhibit = shown.picture.exhibit
      if index == 0 { file.add(sampleHead(plan.unit(at: 0), in: plan), model: 0, scheme: 0) }
      try file.add(outcome, at: index)
    }
    try file.save()
    let part = try Part(path: file.path)
    // The later, the larger the error.
    #expect(part.units.map { $0.outcome.picture.exhibit != nil } == (0..<plan.unitCount).map { $0 >= 3 })
    #expect(part.units.last?.outcome.picture.exhibit == shown.picture.exhibit)
  }

  @Test(
    arguments: [
      ("\"stylemodel-part-1\"", "\"stylemodel-part-9\"", "schema: is 'stylemodel-part-9'"),
      ("\"shard\":\"1/1\"", "\"shard\":\"2/1\"", "shard: is not a shard such as 1/6"),
      ("\"picture\":0", "\"picture\":3", "units[0].picture: is not the place of one of 3 in the plan"),
      ("\"picture\":0", "\"picture\":1", "units[0].id: is not that of m0.pth, int8, p1.png"),
      ("\"saturated\":0.125", "\"saturated\":\"much\"", "units[0].outcome.checks.saturated: is not a number"),
      ("\"ssim_window\":11,", "", "units[0].outcome.result: has no 'ssim_window'"),
      ("\"plan_hash\"", "\"plan_hash", "byte "),
    ])
  func whatIsNoPartIsNamed(old: String, new: String, message: String) throws {
    let folder = try TemporaryFolder()
    let file = try samplePart(folder, try samplePlan(), "1/1")
    let text = String(decoding: try readFile(file.path), as: UTF8.self)
    let range = try #require(text.firstRange(of: old))
    try folder.write(text.replacingCharacters(in: range, with: new).utf8, as: "part-1-of-1.json")
    let error = #expect(throws: StyleModelError.self) { try Part(path: file.path) }
    #expect(error?.kind == .badInput && error?.file == file.path && error?.remedy != nil)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  /// Cut off anywhere, a part is refused; it never passes for a smaller one.
  @Test func everyTruncationIsRefused() throws {
    let folder = try TemporaryFolder()
    let file = try samplePart(folder, try samplePlan(models: 1, schemes: 1, pictures: 1), "1/1")
    let bytes = try readFile(file.path)
    for length in 0..<bytes.count - 1 {
      try folder.write(bytes[..<length], as: "cut.json")
      let error = #expect(throws: StyleModelError.self) { try Part(path: folder.path("cut.json")) }
      #expect(error?.kind == .badInput)
    }
  }
}

/// A clock that goes on by a second whenever it is looked at.
private final class TestClock: @unchecked Sendable {
  private var now = 0.0
  func tick() -> Double {
    now += 1
    return now
  }
  func skip(_ seconds: Double) { now += seconds }
}
