import Catalogue
import Diagnostics
import Evaluation
import Files
import Glibc
import StyleModelKit

/// The body of `stylemodel report`.
@Sendable func runReport(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  let action = arguments.one(ReportOptions.action)
  guard action == ReportOptions.action.placeholder else {
    throw usageError("unknown action '\(action)'", remedy: "the only one is 'merge'")
  }
  let reportPaths = arguments.all(ReportOptions.report)
  // Which of the two it is to be is known when the parts have been read; most mistakes show before.
  for path in reportPaths where (try? ReportFormat(path: path)) == nil { _ = try SweepFormat(path: path) }
  let parts = try partPaths(arguments)
  let merged: MergedCatalogue
  do throws(MergeRefusal) {
    merged = try MergedCatalogue(
      parts: parts, allowsVersions: arguments.has(ReportOptions.allowVersions))
  } catch {
    for problem in error.problems { console.fail(problem) }
    let statuses = error.problems.map(\.kind.exitStatus)
    let badInput = StyleModelError.Kind.badInput.exitStatus
    return statuses.contains(badInput) ? badInput : statuses.max() ?? badInput
  }
  let command = CatalogueCommand.of(merged.plan.command)
  let planned = try command.arguments(of: merged.plan)
  guard try command.judging(planned) == merged.plan.judging else {
    throw StyleModelError(
      .badInput,
      "the gates are not those of the plan: the baseline has changed since, or is not where it was",
      remedy: "put the baseline back, or do the shards again with the new one")
  }
  let origin = ReportOrigin(tool: merged.tool, words: planned.workWords)
  let printsJSON = arguments.has(GeneralOptions.json)
  switch try command.work(planned) {
  case .sweep(let options):
    var output = try SweepOutput(reportPaths, printsJSON: printsJSON, origin: origin, console: console)
    for model in merged.plan.models.indices {
      output.add(merged.curve(model: model, rounded: options.rounded, gates: options.gates))
    }
    return try output.finish()
  case .eval(let options, _):
    var output = try EvaluationOutput(reportPaths, printsJSON: printsJSON, origin: origin, console: console)
    for model in merged.plan.models.indices {
      do throws(StyleModelError) {
        output.add(try merged.report(model: model, options: options))
      } catch { output.add(error.inFile(merged.plan.models[model].path)) }
    }
    return try output.finish()
  }
}

/// The part files named; a folder stands for those in it.
private func partPaths(_ arguments: ParsedArguments) throws(StyleModelError) -> [String] {
  var paths: [String] = []
  for path in arguments.all(ReportOptions.parts) {
    guard isFolder(path) else {
      paths.append(path)
      continue
    }
    let names = try listFolder(path).filter { $0.hasSuffix(".json") }
    guard !names.isEmpty else {
      throw StyleModelError(.badInput, file: path, "holds no part file", remedy: "name the shards' --parts")
    }
    paths += names.map { path + "/" + $0 }
  }
  return paths
}

/// Whether a path names a folder.
func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}
