import Diagnostics
import Evaluation
import Files
import Glibc
import StyleModelKit

/// The body of `stylemodel eval`.
@Sendable func runEval(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  let reportPaths = arguments.all(EvalOptions.report)
  let formats = try reportPaths.map { path throws(StyleModelError) in try ReportFormat(path: path) }
  let models = try modelPaths(arguments)
  var options = try evaluationOptions(arguments)
  options.keepsPictures = formats.contains(.page)
  options.measuresLayers = formats.contains(.page)
  var importOptions = ImportArguments.options(arguments)
  importOptions.style = StyleArguments.choice(arguments)

  var reports: [EvaluationReport] = []
  var failures: [StyleModelError] = []
  var status: Int32 = 0
  for path in models {
    let progress = ProgressBar("Evaluating \(path)", on: console)
    defer { progress.finish() }
    do throws(StyleModelError) {
      let model = try loadModel(path, checkpointOptions: importOptions)
      for variant in arguments.has(StyleArguments.all) ? try model.ofEachStyle() : [model] {
        let report = try evaluate(variant, options: options, progress: progress.update)
        progress.finish()
        if !arguments.has(GeneralOptions.json) {
          console.print((reports.isEmpty ? "" : "\n") + report.text, terminator: "")
        }
        reports.append(report)
        status = max(status, report.exitStatus)
      }
    } catch {
      progress.finish()
      failures.append(error.inFile(path))
      console.fail(error.inFile(path))
      status = max(status, error.kind.exitStatus)
    }
  }
  let tool = "stylemodel " + stylemodelVersion
  if arguments.has(GeneralOptions.json) {
    console.print(reportJSON(reports, failures: failures, tool: tool).text(indented: true))
  }
  for (path, format) in zip(reportPaths, formats) {
    let text = format.text(reports, failures: failures, origin: arguments.origin(of: tool))
    try replaceFile(path, with: text.utf8)
  }
  return status
}

extension ParsedArguments {
  /// Where a report comes from: the program, and the line that a user typed.
  func origin(of tool: String) -> ReportOrigin { ReportOrigin(tool: tool, words: words) }
}

private func modelPaths(_ arguments: ParsedArguments) throws(StyleModelError) -> [String] {
  let named = arguments.all(EvalOptions.models)
  guard named.isEmpty else { return named }
  let found = try listFolder(".").filter { $0.hasSuffix(".stylemodel") }
  guard !found.isEmpty else {
    throw StyleModelError(
      .cannotOpen, "there is no .stylemodel in the current folder",
      remedy: "name a model, or make one with 'convert'")
  }
  return found
}

private func evaluationOptions(_ arguments: ParsedArguments) throws(StyleModelError) -> EvaluationOptions {
  let against = arguments[EvalOptions.against] ?? "fp32"
  let reference: EvaluationReference
  var status = stat()
  if against == "fp32" {
    reference = .fp32
  } else if stat(against, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
    reference = .pictures(folder: against)
  } else {
    reference = .model(against)
  }
  let baseline = try arguments[EvalOptions.baseline].map { path throws(StyleModelError) in
    try readBaseline(path)
  }
  for option in [EvalOptions.maxDrop, EvalOptions.maxGrowth]
  where baseline == nil && arguments.has(option.spec) {
    throw usageError("'\(option.spec.typed)' needs a baseline", remedy: "give --baseline REPORT as well")
  }
  return EvaluationOptions(
    reference: reference, imagesFolder: arguments[EvaluationArguments.images],
    sourcePath: arguments[EvaluationArguments.source],
    sourceImportOptions: ImportArguments.areGiven(arguments) ? ImportArguments.options(arguments) : nil,
    rounded: arguments.has(EvalOptions.rounded), ssim: arguments[EvalOptions.ssim] ?? .standard,
    gates: Gates(
      minPSNR: arguments[EvalOptions.minPSNR], minSSIM: arguments[EvalOptions.minSSIM],
      maxBytes: arguments[EvalOptions.maxBytes], maxRatio: arguments[EvalOptions.maxRatio]),
    baseline: baseline,
    baselineLimits: BaselineLimits(
      maxDrop: arguments[EvalOptions.maxDrop] ?? 0, maxGrowth: arguments[EvalOptions.maxGrowth] ?? 0),
    temporal: arguments.has(EvalOptions.temporal),
    fit: arguments[EvaluationArguments.fit] ?? .resize, threads: arguments[GeneralOptions.threads],
    precision: try PrecisionOptions.precision(arguments))
}
