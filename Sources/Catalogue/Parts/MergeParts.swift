public import Diagnostics
import Dispatch
public import Evaluation
import Synchronization

/// All units of a plan, wherever they were measured: what reports are put together from.
public struct MergedCatalogue: Sendable {
  /// What was planned.
  public let plan: CataloguePlan
  /// The program that measured, with its version; several, apart by commas, where that was allowed.
  public let tool: String
  private let heads: [ReportHead]
  private let outcomes: [UnitOutcome]

  /// What reports say of a model in a scheme.
  public func head(model: Int, scheme: Int) -> ReportHead { heads[model * plan.schemes.count + scheme] }

  /// What the pictures gave for a model in a scheme, in the order of evaluation.
  public func outcomes(model: Int, scheme: Int) -> [UnitOutcome] {
    plan.pictures.indices.map { picture in
      outcomes[plan.index(of: PlannedUnit(model: model, scheme: scheme, picture: picture))]
    }
  }

  /// The curve of a model of a sweep.
  public func curve(model: Int, rounded: Bool, gates: Gates) -> Sweep.Curve {
    let schemes = plan.schemes.indices
    return Sweep.Curve(
      heads: schemes.map { head(model: model, scheme: $0) },
      outcomes: schemes.map { outcomes(model: model, scheme: $0) }, rounded: rounded, gates: gates)
  }
}

/// Why parts do not make a whole: everything that is wrong, not only what was found first.
public struct MergeRefusal: Error {
  /// What is wrong, with the files named.
  public let problems: [StyleModelError]
}

extension MergedCatalogue {
  /// Puts the parts of a plan together.
  /// - Parameters:
  ///   - paths: the part files, in any order.
  ///   - allowsVersions: whether parts of several versions of the tool may stand in one report.
  /// - Throws: when a part cannot be read, belongs to another plan or tool than the others, units are missing or
  ///   doubled, or parts disagree about what a model is.
  public init(parts paths: [String], allowsVersions: Bool = false) throws(MergeRefusal) {
    var problems: [StyleModelError] = []
    var parts: [Part] = []
    for part in readParts(paths) {
      switch part {
      case .success(let part): parts.append(part)
      case .failure(let error): problems.append(error)
      }
    }
    guard let plan = commonPlan(&parts, &problems) else {
      if problems.isEmpty {
        problems = [StyleModelError(.usage, "there is no part to merge", remedy: "name part files")]
      }
      throw MergeRefusal(problems: problems)
    }
    let tools = Set(parts.map(\.tool)).sorted()
    if tools.count > 1, !allowsVersions { problems += versionProblems(parts) }

    var owners = [Int32](repeating: -1, count: plan.unitCount)
    problems += doubledUnits(parts, plan, &owners)
    problems += missingUnits(parts, plan, owners)
    var heads = [ReportHead?](repeating: nil, count: plan.models.count * plan.schemes.count)
    problems += gather(&heads, parts, plan)
    guard problems.isEmpty else { throw MergeRefusal(problems: problems) }

    // Every unit has a place by now, and every model that has units has a head.
    var outcomes = [UnitOutcome?](repeating: nil, count: plan.unitCount)
    for part in parts {
      for unit in part.units { outcomes[plan.index(of: unit.unit)] = unit.outcome }
    }
    self.plan = plan
    tool = tools.joined(separator: ", ")
    self.heads = heads.compactMap { $0 }
    self.outcomes = outcomes.compactMap { $0 }
  }
}

/// Reads parts on all cores, in the order of their names.
private func readParts(_ paths: [String]) -> [Result<Part, StyleModelError>] {
  let parts = Mutex([Result<Part, StyleModelError>?](repeating: nil, count: paths.count))
  DispatchQueue.concurrentPerform(iterations: paths.count) { index in
    let result: Result<Part, StyleModelError>
    do throws(StyleModelError) { result = .success(try Part(path: paths[index])) } catch {
      result = .failure(error)
    }
    parts.withLock { $0[index] = result }
  }
  return parts.withLock { $0.compactMap { $0 } }
}

/// The plan that most parts belong to; takes the others away, and names them.
private func commonPlan(_ parts: inout [Part], _ problems: inout [StyleModelError]) -> CataloguePlan? {
  var counts: [String: Int] = [:]
  for part in parts { counts[part.plan.hash, default: 0] += 1 }
  let most = counts.values.max()
  guard let plan = parts.first(where: { counts[$0.plan.hash] == most })?.plan else { return nil }
  for part in parts where part.plan.hash != plan.hash {
    problems.append(
      StyleModelError(
        .badInput, file: part.path,
        "belongs to another plan, \(part.plan.hash.prefix(12)), than the other parts, \(plan.hash.prefix(12))",
        remedy: "leave it out, or do this shard again"))
  }
  parts.removeAll { $0.plan.hash != plan.hash }
  // One plan for all: each part has brought its own.
  for index in parts.indices { parts[index].plan = plan }
  return plan
}

private func versionProblems(_ parts: [Part]) -> [StyleModelError] {
  let common = parts[0].tool
  return parts.filter { $0.tool != common }.map { part in
    StyleModelError(
      .badInput, file: part.path,
      "was made by \(printable(part.tool, limit: 80)), but \(parts[0].path) by \(printable(common, limit: 80))",
      remedy: "do one of them again, or allow it with --allow-versions")
  }
}

private func doubledUnits(
  _ parts: [Part], _ plan: CataloguePlan, _ owners: inout [Int32]
) -> [StyleModelError] {
  var problems: [StyleModelError] = []
  for (number, part) in parts.enumerated() {
    // By the part that has them already.
    var doubled: [Int: (count: Int, first: PlannedUnit)] = [:]
    for unit in part.units {
      let index = plan.index(of: unit.unit)
      if owners[index] >= 0 {
        doubled[Int(owners[index]), default: (0, unit.unit)].count += 1
      } else {
        owners[index] = Int32(number)
      }
    }
    for (other, found) in doubled.sorted(by: { $0.key < $1.key }) {
      let (where_, verb) = other == number ? ("twice", "holds") : ("as \(parts[other].path) does", "holds")
      problems.append(
        StyleModelError(
          .badInput, file: part.path,
          "\(verb) \(counted(found.count, "unit")) \(where_), the first is \(plan.name(of: found.first))",
          remedy: "leave one of them out"))
    }
  }
  return problems
}

private func missingUnits(_ parts: [Part], _ plan: CataloguePlan, _ owners: [Int32]) -> [StyleModelError] {
  guard owners.contains(-1) else { return [] }
  func problem(_ file: String?, _ units: [Int], _ words: String, _ remedy: String) -> StyleModelError? {
    guard let first = units.first else { return nil }
    return StyleModelError(
      .badInput, file: file, "\(words), the first is \(plan.name(of: plan.unit(at: first)))", remedy: remedy)
  }
  let missing = owners.indices.filter { owners[$0] < 0 }
  let shardCounts = Set(parts.map(\.shard.count))
  guard shardCounts.count == 1, let count = shardCounts.first else {
    let divisions = shardCounts.sorted().map(String.init).joined(separator: " and ")
    return [
      problem(
        nil, missing,
        "\(counted(missing.count, "unit is", "units are")) in no part, of a plan divided into \(divisions) shards",
        "do all shards of one division")
    ].compactMap { $0 }
  }
  return plan.split(into: count).enumerated().compactMap { index, range in
    let lacking = range.filter { owners[$0] < 0 }
    guard let shard = Shard(index: index, of: count) else { return nil }
    if let part = parts.first(where: { $0.shard == shard }) {
      return problem(
        part.path, lacking, "lacks \(grouped(lacking.count)) of its \(counted(range.count, "unit"))",
        "do shard \(shard) again: it goes on where it was stopped")
    }
    return problem(
      nil, lacking,
      "the part of shard \(shard) (\(shard.fileName)) is missing, with \(counted(lacking.count, "unit"))",
      "do this shard, and name its part too")
  }
}

/// What parts say of each model. One that could read it comes before one that could not.
private func gather(
  _ heads: inout [ReportHead?], _ parts: [Part], _ plan: CataloguePlan
) -> [StyleModelError] {
  var problems: [StyleModelError] = []
  var owners = [Int?](repeating: nil, count: heads.count)
  for (number, part) in parts.enumerated() {
    for entry in part.heads {
      let index = entry.model * plan.schemes.count + entry.scheme
      guard let known = heads[index], let owner = owners[index] else {
        heads[index] = entry.head
        owners[index] = number
        continue
      }
      if known.failure != nil, entry.head.failure == nil {
        heads[index] = entry.head
        owners[index] = number
      } else if known.failure == nil, entry.head.failure == nil, known != entry.head {
        let unit = [plan.models[entry.model].name, plan.schemes[entry.scheme]].filter { !$0.isEmpty }
        problems.append(
          StyleModelError(
            .badInput, file: part.path,
            "has another \(unit.joined(separator: " in ")) than \(parts[owner].path)",
            remedy: "do both shards again, with the same tool and files"))
      }
    }
  }
  // A unit without its head comes from a file that was edited.
  for part in parts {
    for unit in part.units where heads[unit.unit.model * plan.schemes.count + unit.unit.scheme] == nil {
      problems.append(
        StyleModelError(
          .badInput, file: part.path, "does not say what \(plan.name(of: unit.unit)) was made of",
          remedy: "do this shard again"))
      break
    }
  }
  return problems
}
