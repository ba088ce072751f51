import Testing

@testable import Catalogue

@Suite struct ShardTests {
  @Test(arguments: [("1/1", 0, 1), ("3/6", 2, 6), ("6/6", 5, 6), ("1000000/1000000", 999_999, 1_000_000)])
  func reads(text: String, index: Int, count: Int) throws {
    let shard = try #require(Shard(text))
    #expect(shard.index == index && shard.count == count && shard.description == text)
  }

  @Test(arguments: [
    "", "3", "0/6", "7/6", "-1/6", "1/0", "1/6/2", "a/b", "1/", "/6", "1/1000001", "99999999999999999999/2",
  ])
  func refuses(text: String) { #expect(Shard(text) == nil) }

  @Test func namesSortAsShardsDo() throws {
    let names = try (1...120).map { try #require(Shard("\($0)/120")).fileName }
    #expect(names == names.sorted() && names[0] == "part-001-of-120.json")
  }

  /// Every unit belongs to exactly one shard, in order, and no shard has more than a unit's cost beside an even share.
  @Test(arguments: [1, 2, 3, 6, 7, 40, 1000])
  func theSplitIsCompleteAndEven(count: Int) throws {
    let plan = try samplePlan(models: 5, schemes: 3, pictures: 7)
    let ranges = plan.split(into: count)
    #expect(ranges.count == count && ranges.first?.lowerBound == 0)
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    #expect(ranges.last?.upperBound == plan.unitCount)
    let greatest = (0..<plan.unitCount).map { plan.cost(of: plan.unit(at: $0)) }.max() ?? 0
    let share = Double(plan.totalCost) / Double(count)
    for range in ranges { #expect(abs(Double(plan.cost(of: range)) - share) <= Double(greatest)) }
    for index in 0..<count {
      #expect(try plan.units(of: #require(Shard(index: index, of: count))) == ranges[index])
    }
  }

  /// What cannot be read costs nothing that is known; it is divided all the same.
  @Test func aPlanWithoutCostsIsDividedByUnits() throws {
    let plan = try CataloguePlan(
      command: .eval, words: [], measuring: [], judging: [],
      models: (0..<6).map {
        .init(path: "\($0)", name: "\($0)", byteCount: 0, sha256: "", costPerPixel: 0)
      }, schemes: [""], pictures: [.init(name: "a", sha256: "", width: 0, height: 0)])
    #expect(plan.split(into: 3) == [0..<2, 2..<4, 4..<6])
  }
}
