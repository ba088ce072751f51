public import Diagnostics
import Imaging
public import ModelGraph

/// How long one pass over memory takes, and how long it would have to.
public struct LayerTiming: Hashable, Sendable {
  /// The weights that it multiplies by; empty where it has none.
  public var name: String
  /// What is done: `3x3 winograd`, `norm, clamp`.
  public var method: String
  /// The shape of the result: channels, height, width.
  public var shape: [Int]
  /// The seconds that the fastest of the runs took.
  public var seconds: Double
  /// Floating-point operations, the algorithm's own: a multiplication and an addition are two.
  public var operations: Double
  /// Bytes that are read or written at least once.
  public var bytes: Double

  /// Operations in a second, in units of 10⁹.
  public var gigaflops: Double { operations / seconds / 1e9 }

  /// The least possible time on a machine with these rates, as a share of the time taken: 1 is perfect. Above 1 is
  /// what has found its maps still in the cache.
  public func shareOfRoofline(_ rates: MachineRates) -> Double {
    rates.leastSeconds(operations: operations, bytes: bytes) / seconds
  }
}

/// The time of each layer beside what the machine could do.
public struct LayerBenchmarkResult: Hashable, Sendable {
  /// The layers in the order they are run.
  public var layers: [LayerTiming]
  /// What the machine can do, measured just before.
  public var rates: MachineRates
}

extension Engine {
  /// Times every layer, and the machine's arithmetic and memory beside them.
  /// - Throws: `.badInput` when the network cannot take the size.
  public func benchmarkLayers(size: PictureSize, runs: Int) throws(StyleModelError) -> LayerBenchmarkResult {
    _ = try peakMemoryEstimate(for: size)  // refuses before anything is timed
    let rates = try MachineRates.measured(threads: threads, instructionSet: instructionSet)
    let plan = try Plan(graph, size: size, precision: precision)
    let picture = Picture.synthetic(size)
    _ = try run(picture)
    var fastest = [Double](repeating: .infinity, count: plan.steps.count)
    for _ in 0..<max(1, runs) {
      var times: [ContinuousClock.Instant] = []
      _ = try run(picture, observer: RunObserver(progress: { _ in times.append(.now) }))
      // One report before the first step, and one after each. In bands there are others: then no layer has a time.
      guard times.count == plan.steps.count + 1 else {
        throw StyleModelError(
          .badInput, "in bands, layers have no times of their own", remedy: "use a smaller picture")
      }
      for index in fastest.indices {
        fastest[index] = min(fastest[index], (times[index + 1] - times[index]) / .seconds(1))
      }
    }
    let layers = zip(plan.steps, fastest).map { step, seconds in
      let cost = step.cost(in: plan)
      let layout = plan.layout(step.output)
      let node = (step as? any Convolving)?.packings.first?.kernel.node
      return LayerTiming(
        name: node.map(graph.weightsName(of:)) ?? "", method: step.method,
        shape: [layout.channels, layout.height, layout.width], seconds: seconds, operations: cost.operations,
        bytes: cost.bytes)
    }
    return LayerBenchmarkResult(layers: layers, rates: rates)
  }
}

extension Graph {
  /// The name of a convolution's weights, without what every such name ends with.
  fileprivate func weightsName(of node: ValueID) -> String {
    let name = layerName(of: node)
    return name.hasSuffix(".weight") ? String(name.dropLast(".weight".count)) : name
  }
}
