import Catalogue
import Diagnostics
import Evaluation
import Files
import StyleModelKit

/// What `sweep` and `eval` do when they are asked for a plan, or for one shard of one.
func runCatalogue(
  _ kind: CataloguePlan.Command, _ arguments: ParsedArguments, _ console: Console
) throws(StyleModelError) -> Int32 {
  let command = CatalogueCommand.of(kind)
  let isShard = arguments.has(CatalogueArguments.shard.spec)
  let isPlanOnly = arguments.has(CatalogueArguments.planOnly)
  guard isShard || isPlanOnly || arguments.has(CatalogueArguments.savePlan.spec) else {
    throw usageError("a plan is given, but not what to do of it", remedy: "add --shard K/N or --plan-only")
  }
  guard !arguments.has(EvalOptions.report.spec) else {
    throw usageError(
      "a plan or a shard makes no report",
      remedy: "leave out --report, and make it of all parts with 'report merge'")
  }
  let shard = try isShard ? wantedShard(arguments) : nil
  let (plan, work) = try planned(command, kind, arguments)
  if let path = arguments[CatalogueArguments.savePlan] {
    try replaceFile(path, with: (plan.json(tool: toolName).text(indented: true) + "\n").utf8)
  }
  if isPlanOnly || shard == nil {
    let count = shard?.count ?? arguments[CatalogueArguments.shards]
    let listing = PlanListing(plan: plan, shardCount: count, shard: shard)
    if arguments.has(GeneralOptions.json) {
      listing.printJSON(on: console)
    } else if isPlanOnly {
      listing.printTable(on: console)
    } else {
      console.print(listing.summary)
    }
    return 0
  }
  guard let shard else { return 0 }
  return try run(shard, of: plan, work, arguments, console)
}

/// The program, as reports and parts name it.
let toolName = "stylemodel " + stylemodelVersion

private func wantedShard(_ arguments: ParsedArguments) throws(StyleModelError) -> Shard? {
  let count = arguments[CatalogueArguments.shards]
  switch arguments[CatalogueArguments.shard] {
  case nil: return nil
  case .auto: return try ArrayEngine.shard(environment: environmentVariable, count: count)
  case .shard(let shard):
    guard count.map({ $0 == shard.count }) ?? true else {
      throw usageError("'--shard \(shard)' and --shards differ", remedy: "leave out --shards")
    }
    return shard
  }
}

private func planned(
  _ command: CatalogueCommand, _ kind: CataloguePlan.Command, _ arguments: ParsedArguments
) throws(StyleModelError) -> (CataloguePlan, CatalogueRequest.Work) {
  guard let path = arguments[CatalogueArguments.plan] else {
    let request = try command.request(arguments)
    return (try planCatalogue(request), request.work)
  }
  if let extra = arguments.words(without: CatalogueArguments.placement).dropFirst(2).first {
    throw usageError(
      "'\(extra)' stands beside --plan, which says already what is measured", remedy: "leave it out")
  }
  let plan = try CataloguePlan(path: path)
  guard plan.command == kind else {
    throw StyleModelError(
      .badInput, file: path, "is a plan for '\(plan.command.rawValue)'",
      remedy: "run 'stylemodel \(plan.command.rawValue) --plan …'")
  }
  var original = try command.arguments(of: plan)
  for name in CatalogueArguments.placement { original.values[name] = arguments.values[name] }
  if plan.keepsPictures { original.values[CatalogueArguments.withPictures.name] = [""] }
  return (plan, try command.work(original))
}

private func run(
  _ shard: Shard, of plan: CataloguePlan, _ work: CatalogueRequest.Work, _ arguments: ParsedArguments,
  _ console: Console
) throws(StyleModelError) -> Int32 {
  let folder = arguments[CatalogueArguments.parts] ?? "parts"
  try makeFolder(folder)
  let part = PartFile(
    folder: folder, plan: plan, shard: shard, tool: toolName, clock: monotonicSeconds)
  let unitCount = plan.units(of: shard).count
  let doneBefore = part.doneCount
  if doneBefore > 0 {
    console.note(
      "Going on with \(part.path): \(grouped(doneBefore)) of \(counted(unitCount, "unit")) are done")
  }
  let stop = GentleStop {
    do throws(StyleModelError) { try part.save() } catch { console.fail(error) }
    console.note(
      "Stopped: \(grouped(part.doneCount)) of \(counted(unitCount, "unit")) are in \(part.path); "
        + "the same command goes on from there")
  }
  let progress = ProgressBar("Shard \(shard)", on: console)
  defer { progress.finish() }
  try runShard(of: part, work: work, mayGoOn: { !stop.isWanted }, progress: progress.update)
  progress.finish()
  stop.finishWork()
  let failed = part.failedCount
  console.print(
    "shard \(shard) of plan \(plan.hash.prefix(12)): \(counted(unitCount, "unit")), \(grouped(doneBefore)) done before"
      + (failed > 0 ? ", \(grouped(failed)) failed" : "") + "; \(part.path)")
  // A unit that failed is a row of the report: 'report merge' has the status.
  return 0
}
