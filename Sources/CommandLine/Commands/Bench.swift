import Diagnostics
import ModelGraph
import Runtime
import StyleModelKit

/// The body of `stylemodel bench`.
@Sendable func runBench(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  var model = try loadModel(arguments.one(BenchOptions.model), options: ImportArguments.options(arguments))
  // One style takes as long as another.
  if model.graph.styles != nil { model = try model.choosing(StyleBlend(style: 0)) }
  let size = arguments[BenchOptions.size] ?? BenchOptions.defaultSize
  let engine = try Engine(model: model, threads: arguments[GeneralOptions.threads])
  let runs = arguments[BenchOptions.runs] ?? BenchOptions.defaultRuns
  let result: BenchmarkResult
  var layers: LayerBenchmarkResult?
  do throws(StyleModelError) {
    result = try engine.benchmark(size: size, runs: runs)
    if arguments.has(BenchOptions.layers) { layers = try engine.benchmarkLayers(size: size, runs: runs) }
  } catch { throw error.inFile(model.path) }
  guard !arguments.has(GeneralOptions.json) else {
    console.print(document(result, layers).text(indented: false))
    return 0
  }
  console.print(
    "\(size), \(counted(result.threads, "thread")): median \(fixed(result.medianSeconds, 3)) s of "
      + "\(counted(result.seconds.count, "run")) (\(fixed(result.seconds.min() ?? 0, 3)) to "
      + "\(fixed(result.seconds.max() ?? 0, 3)) s), "
      + "peak memory \(byteSize(result.peakBytes))")
  if let layers {
    console.print("")
    for line in lines(layers) { console.print(line) }
  }
  return 0
}

private func document(_ result: BenchmarkResult, _ layers: LayerBenchmarkResult?) -> JSONValue {
  var members: [JSONValue.Member] = [
    .init("median_seconds", .number(result.medianSeconds)),
    .init("seconds", .array(result.seconds.map { .number($0) })),
    .init("peak_bytes", .integer(result.peakBytes)), .init("threads", .integer(result.threads)),
    .init("size", .string(result.size.description)),
  ]
  if let layers {
    members.append(.init("operations_per_second", .number(layers.rates.operationsPerSecond)))
    members.append(.init("bytes_per_second", .number(layers.rates.bytesPerSecond)))
    let rows = layers.layers.map { layer -> JSONValue in
      [
        "name": .string(layer.name), "method": .string(layer.method),
        "shape": .array(layer.shape.map { .integer($0) }), "seconds": .number(layer.seconds),
        "operations": .number(layer.operations), "bytes": .number(layer.bytes),
        "share_of_roofline": .number(layer.shareOfRoofline(layers.rates)),
      ]
    }
    members.append(.init("layers", .array(rows)))
  }
  return .object(members)
}

private func lines(_ result: LayerBenchmarkResult) -> [String] {
  let rates = result.rates
  var table = TextTable(
    .left("Weights"), .left("Method"), .right("Result"), .right("ms"), .right("GFLOP/s"), .right("Possible"))
  func percent(_ share: Double) -> String { fixed(100 * share, 0) + " %" }
  for layer in result.layers {
    table.add(
      printable(layer.name), layer.method, layer.shape.map(String.init).joined(separator: "x"),
      fixed(layer.seconds * 1000, 2), layer.operations > 0 ? fixed(layer.gigaflops, 1) : "",
      percent(layer.shareOfRoofline(rates)))
  }
  let seconds = result.layers.reduce(0) { $0 + $1.seconds }
  let least = result.layers.reduce(0) {
    $0 + rates.leastSeconds(operations: $1.operations, bytes: $1.bytes)
  }
  let operations = result.layers.reduce(0) { $0 + $1.operations }
  table.add(
    "All", "", "", fixed(seconds * 1000, 2), fixed(operations / seconds / 1e9, 1), percent(least / seconds))
  return table.lines() + [
    "",
    "The machine: \(fixed(rates.operationsPerSecond / 1e9, 1)) GFLOP/s from registers, "
      + "\(fixed(rates.bytesPerSecond / 1e9, 1)) GB/s from and to memory.",
    "GFLOP/s are the algorithm's own operations. Possible is the least time that",
    "arithmetic or memory would take, as a share of the time taken.",
  ]
}
