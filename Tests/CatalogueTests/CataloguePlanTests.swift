import Diagnostics
import TestSupport
import Testing

@testable import Catalogue

@Suite struct CataloguePlanTests {
  @Test func unitsStandByModelThenPictureThenScheme() throws {
    let plan = try samplePlan(models: 2, schemes: 2, pictures: 3)
    #expect(plan.unitCount == 12)
    let units = (0..<12).map { plan.unit(at: $0) }
    #expect(units[0] == PlannedUnit(model: 0, scheme: 0, picture: 0))
    #expect(units[1] == PlannedUnit(model: 0, scheme: 1, picture: 0))
    #expect(units[2] == PlannedUnit(model: 0, scheme: 0, picture: 1))
    #expect(units[6] == PlannedUnit(model: 1, scheme: 0, picture: 0))
    #expect(units.enumerated().allSatisfy { plan.index(of: $1) == $0 })
  }

  /// Pixels times multiplications a pixel; the first scheme of a picture has the float network's run as well.
  @Test func costsAreThoseOfTheNetworksRuns() throws {
    let plan = try samplePlan(models: 2, schemes: 2, pictures: 2)
    let costs = (0..<4).map { plan.cost(of: plan.unit(at: $0)) }
    #expect(costs == [2 * 64, 64, 2 * 65, 65].map { $0 * 48 * 1000 })
    #expect(plan.totalCost == plan.cost(of: 0..<plan.unitCount))
  }

  @Test func sizesThatANetworkBindsCount() throws {
    let plan = try CataloguePlan(
      command: .eval, words: [], measuring: [], judging: [],
      models: [.init(path: "m", name: "m", byteCount: 1, sha256: "", costPerPixel: 10, pixels: [100, 400])],
      schemes: [""],
      pictures: [
        .init(name: "a", sha256: "", width: 3000, height: 2000),
        .init(name: "b", sha256: "", width: 1, height: 1),
      ])
    #expect((0..<2).map { plan.cost(of: plan.unit(at: $0)) } == [2000, 8000])
  }

  /// Where a file lies is no part of a plan; what is in it, and how it is measured and judged, is.
  @Test func theHashIsThatOfWhatIsMeasured() throws {
    let plan = try samplePlan()
    #expect(try samplePlan(path: "/elsewhere").hash == plan.hash)
    let others = [
      try samplePlan(models: 3), try samplePlan(schemes: 3), try samplePlan(pictures: 4),
      try samplePlan(measuring: ["--rounded"]), try samplePlan(judging: ["--min-psnr=40"]),
      try samplePlan(measuring: ["--min-psnr=40"]),
    ]
    #expect(Set(others.map(\.hash) + [plan.hash]).count == others.count + 1)
  }

  @Test func identifiersTellUnitsApartAndKnowThemAgain() throws {
    let plan = try samplePlan()
    let identifiers = UnitIdentifiers(plan)
    let all = (0..<plan.unitCount).map { identifiers.identifier(plan.unit(at: $0)) }
    #expect(Set(all).count == plan.unitCount && all.allSatisfy { $0.count == 64 })
    // A plan of more models, with other gates, has the same units among others.
    let larger = UnitIdentifiers(try samplePlan(models: 3, schemes: 3, judging: ["--min-psnr=40"]))
    #expect(all[0] == larger.identifier(PlannedUnit(model: 0, scheme: 0, picture: 0)))
    // Measured otherwise, it has none of them.
    let rounded = UnitIdentifiers(try samplePlan(measuring: ["--rounded"]))
    #expect(all[0] != rounded.identifier(plan.unit(at: 0)))
  }

  @Test func isReadBackAsItWasWritten() throws {
    let folder = try TemporaryFolder()
    let plan = try samplePlan(measuring: ["--fit=pad"], judging: ["--max-bytes=1"])
    let path = try folder.write(plan.json(tool: "t").text(indented: true).utf8, as: "plan.json")
    #expect(try CataloguePlan(path: path) == plan)
  }

  @Test(
    arguments: [
      ("\"stylemodel-plan-1\"", "\"stylemodel-plan-2\"", "schema: is 'stylemodel-plan-2', not"),
      ("\"sweep\",", "\"bench\",", "command: is not sweep or eval"),
      ("\"bytes\": 1000,", "\"bytes\": -1,", "models[0].bytes: is not a whole number"),
      ("\"width\": 64,", "\"width\": 65,", "hash: is not that of the plan: it has been edited, or damaged"),
      ("\"width\": 64,", "\"width\": 9000000000,", "pictures[0]: is too large a picture"),
      ("\"macs_per_pixel\": 1000,", "\"macs_per_pixel\": 4611686018427387904,", "more than 10^18"),
      ("\"pixels\": null", "\"pixels\": [1]", "models[0].pixels: is not an array of one number a picture"),
    ])
  func whatIsNoPlanIsNamed(old: String, new: String, message: String) throws {
    let folder = try TemporaryFolder()
    let text = try samplePlan().json(tool: "t").text(indented: true)
    let range = try #require(text.firstRange(of: old))
    let path = try folder.write(text.replacingCharacters(in: range, with: new).utf8, as: "plan.json")
    let error = #expect(throws: StyleModelError.self) { try CataloguePlan(path: path) }
    #expect(error?.kind == .badInput && error?.file == path)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func nothingIsNoPlan() {
    let error = #expect(throws: StyleModelError.self) { try samplePlan(pictures: 0) }
    #expect(error?.kind == .usage)
  }
}

extension String {
  /// The text with a part of it exchanged.
  func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}
