import Diagnostics
import ModelGraph
import Runtime
import StyleModelKit

/// The body of `stylemodel bench`.
@Sendable func runBench(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  let model = try loadModel(arguments.one(BenchOptions.model), options: ImportArguments.options(arguments))
  let size = arguments[BenchOptions.size] ?? BenchOptions.defaultSize
  let engine = try Engine(model: model, threads: arguments[GeneralOptions.threads])
  let result: BenchmarkResult
  do throws(StyleModelError) {
    result = try engine.benchmark(size: size, runs: arguments[BenchOptions.runs] ?? BenchOptions.defaultRuns)
  } catch { throw error.inFile(model.path) }
  guard !arguments.has(GeneralOptions.json) else {
    let document: JSONValue = [
      "median_seconds": .number(result.medianSeconds), "seconds": .array(result.seconds.map { .number($0) }),
      "peak_bytes": .integer(result.peakBytes), "threads": .integer(result.threads),
      "size": .string(size.description),
    ]
    console.print(document.text(indented: false))
    return 0
  }
  console.print(
    "\(size), \(counted(result.threads, "thread")): median \(fixed(result.medianSeconds, 3)) s of "
      + "\(counted(result.seconds.count, "run")) (\(fixed(result.seconds.min() ?? 0, 3)) to "
      + "\(fixed(result.seconds.max() ?? 0, 3)) s), "
      + "peak memory \(byteSize(result.peakBytes))")
  return 0
}
