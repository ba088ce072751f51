import Archives
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
  let options = try evaluationOptions(arguments)
  let importOptions = ImportArguments.options(arguments)

  var reports: [EvaluationReport] = []
  var status: Int32 = 0
  for (index, path) in models.enumerated() {
    let progress = ProgressBar("Evaluating \(path)", on: console)
    defer { progress.finish() }
    do throws(StyleModelError) {
      // What the command line says of tensors and pixels is about checkpoints; a .stylemodel knows for itself.
      let isOurs = FileKind.identify(try readFile(path)) == .styleModel
      let model = try loadModel(path, options: isOurs ? ImportOptions() : importOptions)
      let report = try evaluate(model, options: options, progress: progress.update)
      progress.finish()
      if !arguments.has(GeneralOptions.json) {
        console.print((index > 0 ? "\n" : "") + report.text, terminator: "")
      }
      reports.append(report)
      status = max(status, report.exitStatus)
    } catch {
      progress.finish()
      console.fail(error.inFile(path))
      status = max(status, error.kind.exitStatus)
    }
  }
  let tool = "stylemodel " + stylemodelVersion
  if arguments.has(GeneralOptions.json) {
    console.print(reportJSON(reports, tool: tool).text(indented: true))
  }
  for (path, format) in zip(reportPaths, formats) {
    try replaceFile(path, with: format.text(reports, tool: tool).utf8)
  }
  return status
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
  return EvaluationOptions(
    reference: reference, imagesFolder: arguments[EvaluationArguments.images],
    sourcePath: arguments[EvaluationArguments.source],
    sourceImportOptions: ImportArguments.areGiven(arguments) ? ImportArguments.options(arguments) : nil,
    rounded: arguments.has(EvalOptions.rounded),
    gates: Gates(
      minPSNR: arguments[EvalOptions.minPSNR], minSSIM: arguments[EvalOptions.minSSIM],
      maxBytes: arguments[EvalOptions.maxBytes]),
    fit: arguments[EvaluationArguments.fit] ?? .resize, threads: arguments[GeneralOptions.threads],
    precision: try PrecisionOptions.precision(arguments))
}
