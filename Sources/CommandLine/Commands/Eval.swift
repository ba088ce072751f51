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
  var failures: [StyleModelError] = []
  var status: Int32 = 0
  for (index, path) in models.enumerated() {
    let progress = ProgressBar("Evaluating \(path)", on: console)
    defer { progress.finish() }
    do throws(StyleModelError) {
      let model = try loadModel(path, checkpointOptions: importOptions)
      let report = try evaluate(model, options: options, progress: progress.update)
      progress.finish()
      if !arguments.has(GeneralOptions.json) {
        console.print((index > 0 ? "\n" : "") + report.text, terminator: "")
      }
      reports.append(report)
      status = max(status, report.exitStatus)
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
    try replaceFile(path, with: format.text(reports, failures: failures, tool: tool).utf8)
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
    fit: arguments[EvaluationArguments.fit] ?? .resize, threads: arguments[GeneralOptions.threads])
}
