import Diagnostics
import Evaluation
import Files
import StyleModelKit

/// The body of `stylemodel eval`.
@Sendable func runEval(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  if CatalogueArguments.areGiven(arguments) { return try runCatalogue(.eval, arguments, console) }
  guard !arguments.has(CatalogueArguments.withPictures) else {
    throw usageError("'\(CatalogueArguments.withPictures.typed)' is for part files", remedy: "add --shard")
  }
  var output = try EvaluationOutput(
    arguments.all(EvalOptions.report), printsJSON: arguments.has(GeneralOptions.json),
    origin: arguments.origin, console: console)
  let models = try evaluatedModels(arguments)
  var options = try evaluationOptions(arguments)
  options.keepsPictures = output.hasPage
  options.measuresLayers = output.hasPage
  var importOptions = ImportArguments.options(arguments)
  importOptions.style = StyleArguments.choice(arguments)
  for path in models {
    let progress = ProgressBar("Evaluating \(path)", on: console)
    defer { progress.finish() }
    do throws(StyleModelError) {
      let model = try loadModel(path, checkpointOptions: importOptions)
      for variant in arguments.has(StyleArguments.all) ? try model.ofEachStyle() : [model] {
        let report = try evaluate(variant, options: options, progress: progress.update)
        progress.finish()
        output.add(report)
      }
    } catch {
      progress.finish()
      output.add(error.inFile(path))
    }
  }
  return try output.finish()
}

extension ParsedArguments {
  /// Where a report comes from: the program, and what the user asked for.
  var origin: ReportOrigin { ReportOrigin(tool: "stylemodel " + stylemodelVersion, words: workWords) }

  /// The line without the options that say where results go and where work is done: what a report needs to be made
  /// again, and what every machine that shares in it has in common.
  var workWords: [String] { words(without: CatalogueArguments.placement) }
}

/// The models that a command line names; without any, those of the current folder.
func evaluatedModels(_ arguments: ParsedArguments) throws(StyleModelError) -> [String] {
  let named = try modelPaths(arguments, EvalOptions.models)
  guard named.isEmpty, !arguments.has(CatalogueArguments.models.spec) else { return named }
  let found = try listFolder(".").filter { $0.hasSuffix(".stylemodel") }
  guard !found.isEmpty else {
    throw StyleModelError(
      .cannotOpen, "there is no .stylemodel in the current folder",
      remedy: "name a model, or make one with 'convert'")
  }
  return found
}

/// How a command line wants them evaluated.
func evaluationOptions(_ arguments: ParsedArguments) throws(StyleModelError) -> EvaluationOptions {
  let against = arguments[EvalOptions.against] ?? "fp32"
  let reference: EvaluationReference
  if against == "fp32" {
    reference = .fp32
  } else if isFolder(against) {
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
  var options = EvaluationOptions(
    reference: reference, imagesFolder: arguments[EvaluationArguments.images],
    sourcePath: arguments[EvaluationArguments.source],
    sourceImportOptions: ImportArguments.areGiven(arguments) ? ImportArguments.options(arguments) : nil,
    rounded: arguments.has(EvalOptions.rounded), ssim: arguments[EvalOptions.ssim] ?? .standard,
    gates: EvalOptions.gates(arguments), baseline: baseline,
    baselineLimits: BaselineLimits(
      maxDrop: arguments[EvalOptions.maxDrop] ?? 0, maxGrowth: arguments[EvalOptions.maxGrowth] ?? 0),
    temporal: arguments.has(EvalOptions.temporal),
    fit: arguments[EvaluationArguments.fit] ?? .resize, threads: arguments[GeneralOptions.threads],
    precision: try PrecisionOptions.precision(arguments))
  options.cacheFolder = arguments[CatalogueArguments.cache]
  return options
}

extension EvalOptions {
  /// The limits that a command line sets.
  static func gates(_ arguments: ParsedArguments) -> Gates {
    Gates(
      minPSNR: arguments[minPSNR], minSSIM: arguments[minSSIM], maxBytes: arguments[maxBytes],
      maxRatio: arguments[maxRatio])
  }
}
