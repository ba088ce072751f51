import Catalogue
import Diagnostics
import Evaluation

/// A plan for people and for programs. Plans have hundreds of thousands of units: a line is made at a time.
struct PlanListing {
  private let plan: CataloguePlan
  private let identifiers: UnitIdentifiers
  private let units: Range<Int>
  /// Where each shard's units end; empty where it is not known how many shards there are.
  private let shardEnds: [Int]

  /// - Parameters:
  ///   - shardCount: how many shards there are; nil where that is not known.
  ///   - shard: the one whose units are listed; nil lists all.
  init(plan: CataloguePlan, shardCount: Int?, shard: Shard?) {
    self.plan = plan
    identifiers = UnitIdentifiers(plan)
    let ranges = shardCount.map { plan.split(into: $0) } ?? []
    shardEnds = ranges.map(\.upperBound)
    units = shard.map { ranges[$0.index] } ?? 0..<plan.unitCount
  }

  /// The plan in a line.
  var summary: String {
    let parts = [
      counted(plan.models.count, "model"),
      plan.command == .sweep ? counted(plan.schemes.count, "scheme") : nil,
      counted(plan.pictures.count, "picture"),
    ].compactMap { $0 }
    return "plan \(plan.hash.prefix(12)): \(parts.joined(separator: " x ")), "
      + "\(counted(plan.unitCount, "unit")), \(cost(plan.totalCost)) GMAC"
  }

  /// A line a unit.
  func printTable(on console: Console) {
    console.print(summary)
    let unread =
      plan.models.filter { $0.costPerPixel == 0 }.map(\.path)
      + plan.pictures.filter { $0.width == 0 }.map(\.name)
    for name in unread { console.warn("\(printable(name)) cannot be read: its units will fail") }
    let hasSchemes = plan.command == .sweep
    // What a cell can be is known before the first line.
    let models = padded(plan.models.map { printable($0.name) }, under: "model")
    let schemes = padded(plan.schemes, under: "scheme")
    let pictures = padded(plan.pictures.map { printable($0.name) }, under: "picture")
    let sizes = padded(
      plan.pictures.map { sizeText(width: $0.width, height: $0.height) }, under: "size", isRight: true)
    let shardWidth = max(5, String(shardEnds.count).count)
    let costWidth = max(7, cost(plan.totalCost).count)
    func line(_ id: String, _ shard: String, _ cells: [String?], _ cost: String) -> String {
      let place = shardEnds.isEmpty ? nil : spaces(shardWidth - shard.utf8.count) + shard
      return "  "
        + ([id, place] + cells + [spaces(costWidth - cost.utf8.count) + cost]).compactMap { $0 }
        .joined(separator: "  ")
    }
    console.print(
      line(
        "unit        ", "shard",
        [models.head, hasSchemes ? schemes.head : nil, pictures.head, sizes.head], "GMAC"))
    var shard = shardEnds.firstIndex { $0 > units.lowerBound } ?? 0
    for index in units {
      let unit = plan.unit(at: index)
      while shard < shardEnds.count, shardEnds[shard] <= index { shard += 1 }
      console.print(
        line(
          String(identifiers.identifier(unit).prefix(12)), String(shard + 1),
          [
            models.cells[unit.model], hasSchemes ? schemes.cells[unit.scheme] : nil,
            pictures.cells[unit.picture], sizes.cells[unit.picture],
          ], cost(plan.cost(of: unit))))
    }
    printShares(on: console)
  }

  private func printShares(on console: Console) {
    guard !shardEnds.isEmpty, units.count == plan.unitCount else { return }
    let starts = [0] + shardEnds.dropLast()
    let costs = zip(starts, shardEnds).map { plan.cost(of: $0..<$1) }
    guard let least = costs.min(), let most = costs.max() else { return }
    console.print(
      "\(counted(shardEnds.count, "shard")), \(cost(least)) to \(cost(most)) GMAC each")
  }

  /// The plan with its units.
  func printJSON(on console: Console) {
    let text = plan.json(tool: toolName).text(indented: false)
    console.print(text.dropLast() + ",\"units\":[")
    var shard = shardEnds.firstIndex { $0 > units.lowerBound } ?? 0
    for index in units {
      let unit = plan.unit(at: index)
      while shard < shardEnds.count, shardEnds[shard] <= index { shard += 1 }
      let place = shardEnds.isEmpty ? "" : ",\"shard\":\(shard + 1)"
      console.print(
        "{\"id\":\"\(identifiers.identifier(unit))\",\"model\":\(unit.model),\"scheme\":\(unit.scheme),"
          + "\"picture\":\(unit.picture),\"cost\":\(plan.cost(of: unit))\(place)}"
          + (index + 1 < units.upperBound ? "," : ""))
    }
    console.print("]}")
  }

  private func cost(_ multiplications: Int) -> String { fixed(Double(multiplications) / 1e9, 3) }

  private func padded(
    _ texts: [String], under title: String, isRight: Bool = false
  ) -> (head: String, cells: [String]) {
    let width = texts.reduce(title.count) { max($0, $1.count) }
    func cell(_ text: String) -> String {
      let fill = spaces(width - text.count)
      return isRight ? fill + text : text + fill
    }
    return (cell(title), texts.map(cell))
  }
}
