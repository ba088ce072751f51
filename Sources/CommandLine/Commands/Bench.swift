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
    result = try benchmark(engine, size: size, runs: arguments[BenchOptions.runs] ?? BenchOptions.defaultRuns)
  } catch { throw error.inFile(model.path) }
  guard !arguments.has(GeneralOptions.json) else {
    let document: JSONValue = [
      "median_seconds": .number(result.medianSeconds), "min_seconds": .number(result.minSeconds),
      "max_seconds": .number(result.maxSeconds), "peak_bytes": .integer(result.peakBytes),
      "runs": .integer(result.runs), "threads": .integer(result.threads), "size": .string(size.description),
    ]
    console.print(document.text(indented: false))
    return 0
  }
  console.print(
    "\(size), \(counted(result.threads, "thread")): median \(fixed(result.medianSeconds, 3)) s of "
      + "\(counted(result.runs, "run")) (\(fixed(result.minSeconds, 3)) to \(fixed(result.maxSeconds, 3)) s), "
      + "peak memory \(byteSize(result.peakBytes))")
  return 0
}
