import Diagnostics
import Evaluation
import Quantization
import StyleModelKit

/// The body of `stylemodel sweep`.
@Sendable func runSweep(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  if CatalogueArguments.areGiven(arguments) { return try runCatalogue(.sweep, arguments, console) }
  var output = try SweepOutput(
    arguments.all(SweepOptionTable.report), printsJSON: arguments.has(GeneralOptions.json),
    origin: arguments.origin, console: console)
  let options = try sweepOptions(arguments)
  for path in try sweptModels(arguments) {
    let progress = ProgressBar("Sweeping \(path)", on: console)
    defer { progress.finish() }
    let curve = try StyleModelKit.sweep(path: path, options: options, progress: progress.update)
    progress.finish()
    output.add(curve)
  }
  return try output.finish()
}

/// The networks that a command line names.
func sweptModels(_ arguments: ParsedArguments) throws(StyleModelError) -> [String] {
  let paths = try modelPaths(arguments, SweepOptionTable.models)
  guard !paths.isEmpty else { throw usageError("missing argument '\(SweepOptionTable.models.placeholder)…'") }
  return paths
}

/// How a command line wants them swept.
func sweepOptions(_ arguments: ParsedArguments) throws(StyleModelError) -> SweepOptions {
  let names =
    arguments[SweepOptionTable.schemes]
    ?? SweepOptionTable.defaultSchemes.split(separator: ",").map(String.init)
  let keep = arguments.all(SchemeOptions.keep).flatMap { $0 }
  let schemes = try names.map { name throws(StyleModelError) in
    var scheme = try QuantizationOptions(named: name)
    scheme.keep = keep
    return scheme
  }
  var importOptions = ImportArguments.options(arguments)
  importOptions.style = StyleArguments.choice(arguments)
  return SweepOptions(
    schemes: schemes, importOptions: importOptions,
    imagesFolder: arguments[EvaluationArguments.images], rounded: arguments.has(EvalOptions.rounded),
    fit: arguments[EvaluationArguments.fit] ?? .resize, threads: arguments[GeneralOptions.threads],
    gates: EvalOptions.gates(arguments),
    calibration: SweepOptionTable.calibrate.set(in: arguments),
    cacheFolder: arguments[CatalogueArguments.cache])
}
