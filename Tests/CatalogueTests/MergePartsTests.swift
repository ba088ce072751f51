import Diagnostics
import Evaluation
import Files
import TestSupport
import Testing

@testable import Catalogue

@Suite struct MergePartsTests {
  private let folder: TemporaryFolder
  private let plan: CataloguePlan

  init() throws {
    folder = try TemporaryFolder()
    plan = try samplePlan(models: 3, schemes: 2, pictures: 4)
  }

  private func parts(_ count: Int) throws -> [String] {
    try (1...count).map { try samplePart(folder, plan, "\($0)/\(count)").path }
  }

  private func problems(_ paths: [String], allowsVersions: Bool = false) -> [String] {
    do throws(MergeRefusal) {
      _ = try MergedCatalogue(parts: paths, allowsVersions: allowsVersions)
      return []
    } catch {
      for problem in error.problems { #expect(problem.kind == .badInput) }
      return error.problems.map(\.message)
    }
  }

  /// However the work was divided, and in whatever order parts are named, the report is the same.
  @Test func oneReportWhateverTheDivision() throws {
    func report(_ paths: [String]) throws -> String {
      let merged = try MergedCatalogue(parts: paths)
      let curves = plan.models.indices.map {
        merged.curve(model: $0, rounded: false, gates: Gates(minPSNR: 38))
      }
      return SweepFormat.allCases.map {
        $0.text(Sweep(curves: curves), origin: ReportOrigin(tool: merged.tool))
      }.joined()
    }
    let whole = try report(try parts(1))
    #expect(whole.contains("m2.pth"))
    for count in [2, 6, 30] { #expect(try report(try parts(count).shuffled()) == whole) }
  }

  @Test func aMissingPartIsNamed() throws {
    var paths = try parts(6)
    paths.remove(at: 2)
    let found = problems(paths)
    #expect(found.count == 1)
    #expect(
      found[0].hasPrefix("the part of shard 3/6 (part-3-of-6.json) is missing, with 4 units, the first is "))
  }

  @Test func aPartThatWasStoppedIsNamed() throws {
    var paths = try parts(3)
    let range = plan.units(of: try #require(Shard("2/3")))
    #expect(try !readFile(paths[1]).isEmpty)
    try folder.write("".utf8, as: "part-2-of-3.json")
    paths[1] = try samplePart(folder, plan, "2/3", units: range.dropLast(3)).path
    let found = problems(paths)
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("\(paths[1]): lacks 3 of its \(range.count) units, the first is "))
    #expect(found[0].hasSuffix("do shard 2/3 again: it goes on where it was stopped"))
  }

  @Test func aPartOfAnotherPlanIsNamed() throws {
    let other = try TemporaryFolder()
    let foreign = try samplePart(other, try samplePlan(), "1/6").path
    let found = problems([foreign] + (try parts(3)))
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("\(foreign): belongs to another plan, "))
  }

  @Test func aTruncatedPartIsNamed() throws {
    let paths = try parts(3)
    try folder.write(try readFile(paths[1]).dropLast(100), as: "part-2-of-3.json")
    let found = problems(paths)
    #expect(found.first?.hasPrefix("\(paths[1]): byte ") == true)
    #expect(found.contains { $0.hasPrefix("the part of shard 2/3 (part-2-of-3.json) is missing") })
  }

  @Test func doubledUnitsAreNamed() throws {
    let paths = try parts(3)
    let copy = try folder.write(try readFile(paths[0]), as: "copy.json")
    let count = plan.units(of: try #require(Shard("1/3"))).count
    #expect(
      problems(paths + [copy]) == [
        "\(copy): holds \(count) units as \(paths[0]) does, the first is m0.pth, int8, p0.png; leave one of them out"
      ])
    // Two divisions of one plan do not go together either.
    let found = problems(try parts(2) + paths)
    #expect(found.count == 4 && found.allSatisfy { $0.contains(" as ") })
  }

  @Test func twoVersionsAreNamedUnlessAllowed() throws {
    var paths = try parts(3)
    let other = try TemporaryFolder()
    paths[2] = try samplePart(other, plan, "3/3", tool: "stylemodel 2").path
    let found = problems(paths)
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("\(paths[2]): was made by stylemodel 2, but \(paths[0]) by stylemodel 1; "))
    #expect(problems(paths, allowsVersions: true) == [])
    #expect(try MergedCatalogue(parts: paths, allowsVersions: true).tool == "stylemodel 1, stylemodel 2")
  }

  @Test func partsThatDisagreeAboutAModelAreNamed() throws {
    // The last two of three parts share a model in one scheme; those of two parts would share none.
    let paths = try parts(3)
    let text = String(decoding: try readFile(paths[2]), as: UTF8.self)
    let range = try #require(text.firstRange(of: "\"sha256\":\"dd\""))
    try folder.write(
      text.replacingCharacters(in: range, with: "\"sha256\":\"d0\"").utf8, as: "part-3-of-3.json")
    #expect(
      problems(paths) == [
        "\(paths[2]): has another m2.pth in int8 than \(paths[1]); do both shards again, with the same tool and files"
      ])
  }

  /// A machine that could not read a model does not hide that others could.
  @Test func whoCouldReadAModelComesFirst() throws {
    let paths = try parts(3)
    let last = try #require(Shard("3/3"))
    let unit = plan.unit(at: plan.units(of: last).lowerBound)
    let part = PartFile(folder: folder.path, plan: plan, shard: last, tool: "stylemodel 1", clock: { 0 })
    var head = sampleHead(unit, in: plan)
    head.candidate.byteCount = 0
    head.failure = StyleModelError(.cannotOpen, "is gone")
    part.add(head, model: unit.model, scheme: unit.scheme)
    try part.save()
    for order in [paths, paths.reversed()] {
      let merged = try MergedCatalogue(parts: order)
      #expect(merged.head(model: unit.model, scheme: unit.scheme).failure == nil)
    }
  }

  @Test func everythingThatIsWrongIsNamedAtOnce() throws {
    let paths = try parts(6)
    try folder.write("".utf8, as: "part-2-of-6.json")
    let other = try TemporaryFolder()
    let foreign = try samplePart(other, try samplePlan(), "1/6").path
    let found = problems([paths[0], paths[1], paths[2], paths[2], paths[4], paths[5], foreign])
    #expect(found.count == 5)
    #expect(found.contains { $0.contains("part-2-of-6.json: ") })
    #expect(found.contains { $0.contains("part-4-of-6.json") && $0.contains("is missing") })
    #expect(found.contains { $0.contains("another plan") } && found.contains { $0.contains("holds 4 units") })
  }
}
