import Diagnostics
import Evaluation
import Files
import Quantization
import StyleModelKit

/// The body of `stylemodel sweep`.
@Sendable func runSweep(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  let reportPaths = arguments.all(SweepOptionTable.report)
  let formats = try reportPaths.map { path throws(StyleModelError) in try SweepFormat(path: path) }
  let options = try sweepOptions(arguments)
  var sweep = Sweep(curves: [])
  var status: Int32 = 0
  for path in arguments.all(SweepOptionTable.models) {
    let progress = ProgressBar("Sweeping \(path)", on: console)
    defer { progress.finish() }
    do throws(StyleModelError) {
      let model = try loadModel(path, options: options.importOptions)
      let curve = try StyleModelKit.sweep(model, options: options, progress: progress.update)
      progress.finish()
      if !arguments.has(GeneralOptions.json) {
        for line in curve.lines(isFirst: sweep.curves.isEmpty) { console.print(line) }
      }
      sweep.curves.append(curve)
      status = curve.points.reduce(status) { max($0, $1.exitStatus) }
    } catch {
      progress.finish()
      console.fail(error.inFile(path))
      status = max(status, error.kind.exitStatus)
    }
  }
  let origin = arguments.origin(of: "stylemodel " + stylemodelVersion)
  if arguments.has(GeneralOptions.json) { console.print(sweep.json(tool: origin.tool).text(indented: true)) }
  for (path, format) in zip(reportPaths, formats) {
    try replaceFile(path, with: format.text(sweep, origin: origin).utf8)
  }
  return status
}

private func sweepOptions(_ arguments: ParsedArguments) throws(StyleModelError) -> SweepOptions {
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
    fit: arguments[EvaluationArguments.fit] ?? .resize, threads: arguments[GeneralOptions.threads])
}

extension Sweep.Curve {
  /// The curve as a table for a terminal.
  fileprivate func lines(isFirst: Bool) -> [String] {
    var table = TextTable(
      .left("stored as"), .right("bytes"), .right("share"), .right("worst PSNR dB"), .left("on"),
      .right("worst SSIM"))
    for point in points {
      let worst = point.isComplete ? point.worstPSNR : nil
      table.add(
        point.candidate.storage, grouped(point.candidate.byteCount),
        point.sizeShare.map { fixed(100 * $0, 1) + " %" } ?? "",
        worst.map { fixed($0.quality.psnr, 2) } ?? "failed", worst?.name ?? "",
        point.isComplete ? point.worstSSIM.map { fixed($0.quality.ssim, 5) } ?? "" : "")
    }
    let failures = points.flatMap { point in
      point.pictures.compactMap { picture in
        if case .failure(let error) = picture.outcome {
          "  failed  \(point.candidate.storage), \(picture.name): \(error.message)"
        } else {
          nil
        }
      }
    }
    return (isFirst ? [] : [""]) + ["\(source.name) (\(source.storage)), \(grouped(source.byteCount)) bytes"]
      + table.lines() + failures
  }
}
