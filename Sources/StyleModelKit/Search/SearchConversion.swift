import Calibration
import Glibc
import Runtime

/// A network made as small as a goal allows.
public struct SearchedConversion: Sendable {
  /// What came out, to be written.
  public var conversion: Conversion
  /// How the search came to it.
  public var search: SearchResult
}

/// Looks for the best way to store a network's weights, and encodes the whole as a `.stylemodel`.
///
/// One number decides: by how much a step of one weight changes the pictures, which is the same for all weights of the
/// network, so that a bit saves as much wherever it is spent. It is varied until the goal is just met on the calibration
/// pictures. The same arguments give the same bytes, whatever the number of threads.
/// - Parameters:
///   - source: the network to convert.
///   - options: what is looked for, and how.
///   - progress: is told about how much is done, from 0 to 1.
/// - Throws: `.badInput` when weights are not finite, when the network has no convolution whose weights could be rounded, or
///   when the goal cannot be met; `.usage` when the goal is no number that can be, or a tensor to keep is not there.
public func convert(
  _ source: Model, searching options: SearchOptions, progress: (Double) -> Void = { _ in }
) throws(StyleModelError) -> SearchedConversion {
  do throws(StyleModelError) {
    try options.goal.validate()
    let draft = try ConversionDraft(
      source, importOptions: options.importOptions, sizes: options.sizes, frozen: options.frozen)
    return try Search(draft, options) { progress(0.6 * $0) }.run { progress(0.6 + 0.4 * $0) }
  } catch { throw error.inFile(source.path) }
}

extension SearchGoal {
  /// The greatest PSNR that can be looked for, in dB: what single precision can tell from the same picture.
  public static let greatestPSNR = 100.0

  /// - Throws: `.usage` when the goal is no number that can be.
  fileprivate func validate() throws(StyleModelError) {
    switch self {
    case .minPSNR(let psnr):
      guard (1...Self.greatestPSNR).contains(psnr) else {
        throw StyleModelError(
          .usage, "cannot look for a PSNR of \(psnr) dB", remedy: "choose 1 to \(Int(Self.greatestPSNR))")
      }
    case .maxBytes(let count):
      guard count > 0 else {
        throw StyleModelError(.usage, "cannot look for a file of \(count) bytes", remedy: "choose at least 1")
      }
    }
  }
}

/// A network that is calibrated, and ways to store it tried out.
private final class Search {
  /// One way to store the weights.
  private struct Trial {
    let conversion: Conversion
    let tensors: [RoundedTensor]
    /// Which of them are stored so.
    let rounded: Set<ValueID>
  }

  private let draft: ConversionDraft
  private let options: SearchOptions
  private let pictures: [CalibrationPicture]
  private let outputs: [Picture]
  private let rounding: CompensatedRounding
  private var trialCount = 0

  init(
    _ draft: ConversionDraft, _ options: SearchOptions, progress: (Double) -> Void
  ) throws(StyleModelError) {
    self.draft = draft
    self.options = options
    let pictures = try options.calibration.pictures(for: draft.graph.contract.sizes)
    // A little of the ramps does photographs no harm and saves the worst of skies. Where ramps count as photographs do, they
    // are what suffers most, and all but a little of the loss has to be theirs.
    let calibration = CalibrationOptions(
      rampShare: options.photosOnly ? 0.02 : 0.95, threads: options.threads)
    let statistics = try measureStatistics(draft.graph, pictures: pictures, options: calibration) {
      progress(0.8 * $0)
    }
    guard !statistics.layers.isEmpty else {
      throw StyleModelError(.badInput, "has no convolution whose weights could be rounded")
    }
    let style =
      options.isEntropyCoded
      ? RoundingOptions() : RoundingOptions(deadZone: 0, isDependent: false, bitWeight: 0)
    rounding = try CompensatedRounding(
      draft.graph, statistics: statistics, options: style, threads: options.threads
    ) { progress(0.8 + 0.2 * $0) }
    self.pictures = options.photosOnly ? pictures.filter { !$0.isRamp } : pictures
    let exact = try Engine(draft.graph, threads: options.threads)
    outputs = try self.pictures.map { item throws(StyleModelError) in try exact.run(item.picture) }
  }

  func run(progress: (Double) -> Void) throws(StyleModelError) -> SearchedConversion {
    // How many it will take is not known: each brings the end nearer by the same share.
    let best = try best { progress(1 - exp2(-Double(self.trialCount) / 4)) }
    return SearchedConversion(
      conversion: best.conversion,
      search: SearchResult(
        goal: options.goal, trialCount: trialCount, calibration: try outcomes(of: best.conversion.graph),
        unseen: try unseenOutcomes(of: best.conversion.graph), layers: try layers(of: best)))
  }

  /// The best of the ways that were tried.
  private func best(_ tried: () -> Void) throws(StyleModelError) -> Trial {
    let weights = Double(rounding.weightCount)
    switch options.goal {
    case .minPSNR(let goal):
      let error = 255 * 255 / pow(10, goal / 10)
      return try best(
        try halvesSuffice(for: goal) ? .float16 : .float32,
        StepSearch(
          // What rounding to steps of one size errs in the mean square is a twelfth of their square.
          start: log2((12 * error / weights).squareRoot()), slope: -6.02, tolerance: 0.02, resolution: 0.004,
          range: Self.range)
      ) { trial throws(StyleModelError) in
        defer { tried() }
        return min(try self.worstPSNR(of: trial.conversion.graph), 2 * SearchGoal.greatestPSNR) - goal
      }
    case .maxBytes(let goal):
      func best(_ base: QuantizationOptions.Storage) throws(StyleModelError) -> Trial {
        try self.best(
          base,
          StepSearch(
            start: 7, slope: -weights / 8 / Double(goal), tolerance: 0.0005, resolution: 0.002,
            range: Self.range),
          isRising: false
        ) { trial in
          tried()
          return 1 - Double(trial.conversion.output.byteCount) / Double(goal)
        }
      }
      let halves = try best(.float16)
      let reached = try worstPSNR(of: halves.conversion.graph)
      guard try !halvesSuffice(for: reached) else { return halves }
      let floats = try best(.float32)
      return try worstPSNR(of: floats.conversion.graph) > reached ? floats : halves
    }
  }

  /// Whether norms and biases may be halves: where that costs little of what a PSNR allows to be lost.
  private func halvesSuffice(for psnr: Double) throws(StyleModelError) -> Bool {
    let floats = try conversion(rounding.floats, .float16)
    return try worstPSNR(of: floats.graph) > psnr + 10
  }

  /// The binary logarithms of steps that can be thought of, up or down: from some that lose nothing to some that leave
  /// nothing.
  private static let range = -30.0...30.0

  /// - Parameter isRising: whether the number that is searched for is the logarithm of the step, or the opposite of it.
  private func best(
    _ base: QuantizationOptions.Storage, _ search: StepSearch, isRising: Bool = true,
    margin: (Trial) throws(StyleModelError) -> Double
  ) throws(StyleModelError) -> Trial {
    var best: (number: Double, trial: Trial)?
    var last: Trial?
    try search.run { number throws(StyleModelError) -> Double in
      let trial = try self.trial(isRising ? number : -number, base)
      let margin = try margin(trial)
      if margin >= 0, best.map({ $0.number < number }) ?? true { best = (number, trial) }
      last = trial
      return margin
    }
    if let best { return best.trial }
    let problem =
      switch options.goal {
      case .minPSNR(let goal):
        "no way was found to store its weights that keeps \(fixed(goal, 2)) dB on the calibration pictures"
      case .maxBytes(let goal):
        "does not fit \(grouped(goal)) bytes: with next to nothing left of its weights it takes "
          + "\(grouped(last?.conversion.output.byteCount ?? 0))"
      }
    throw StyleModelError(.badInput, problem, remedy: "ask for less")
  }

  /// Rounds all weights.
  private func trial(_ exponent: Double, _ base: QuantizationOptions.Storage) throws(StyleModelError) -> Trial
  {
    trialCount += 1
    let delta = exp2(exponent)
    let tensors = try rounding.rounded(delta: delta)
    var chosen: [ValueID: StoredTensor] = [:]
    for tensor in tensors {
      // Where the finest integers that there are err by more than a tenth of all that may be, floats are better.
      let allowed = delta * delta / 12 * Double(rounding.weightCount)
      if base == .float32, tensor.expectedLoss > allowed / 10 { continue }
      if let stored = try tensor.stored() { chosen[tensor.weight] = stored }
    }
    let conversion = try conversion(chosen, base)
    let rounded = chosen.filter { conversion.graph.tensor($0.key) == $0.value }
    return Trial(conversion: conversion, tensors: tensors, rounded: Set(rounded.keys))
  }

  private func conversion(
    _ chosen: [ValueID: StoredTensor], _ base: QuantizationOptions.Storage
  ) throws(StyleModelError) -> Conversion {
    let (graph, report) = try quantized(
      draft.graph, options: QuantizationOptions(storage: base, keep: options.keep), chosen: chosen)
    return try draft.conversion(
      graph, report, scheme: options.goal.name, arguments: options.arguments, format: .styleModel,
      entropyCoding: options.isEntropyCoded)
  }

  private func worstPSNR(of graph: Graph) throws(StyleModelError) -> Double {
    try outcomes(of: graph).map(\.psnr).min() ?? .infinity
  }

  private func outcomes(of graph: Graph) throws(StyleModelError) -> [SearchResult.PictureOutcome] {
    let engine = try Engine(graph, threads: options.threads)
    return try zip(pictures, outputs).map { item, output throws(StyleModelError) in
      SearchResult.PictureOutcome(
        name: item.name, psnr: try psnr(engine.run(item.picture), output, name: item.name))
    }
  }

  private func psnr(_ output: Picture, _ exact: Picture, name: String) throws(StyleModelError) -> Double {
    guard output.samples.allSatisfy(\.isFinite) else { return -.infinity }
    return peakSignalToNoise(meanSquaredError: meanSquaredError(output, exact))
  }

  /// How near the outputs for the built-in evaluation set are, of which the search knows nothing.
  private func unseenOutcomes(of graph: Graph) throws(StyleModelError) -> [SearchResult.PictureOutcome] {
    let exact = try Engine(draft.graph, threads: options.threads)
    let engine = try Engine(graph, threads: options.threads)
    let sizes = graph.contract.sizes
    return try builtInEvaluationPictures().map { item throws(StyleModelError) in
      let output = try exact.run(item.picture, fitting: sizes, by: .resize)
      return SearchResult.PictureOutcome(
        name: item.name,
        psnr: try psnr(engine.run(item.picture, fitting: sizes, by: .resize), output, name: item.name))
    }
  }

  private func layers(of trial: Trial) throws(StyleModelError) -> [SearchResult.Layer] {
    let payloads = try styleModelSizes(of: trial.conversion.bytes).payloads
    let stored = Dictionary(payloads.map { ($0.name, $0.storedByteCount) }) { first, _ in first }
    return trial.tensors.map { tensor in
      SearchResult.Layer(
        name: layerName(ofTensor: tensor.name), count: tensor.shape.count,
        storage: trial.conversion.graph.tensor(tensor.weight)?.encoding.description ?? "",
        byteCount: stored[tensor.name] ?? 0,
        sensitivity: rounding.expectedChange(of: tensor.weight, noise: 0.01),
        isRounded: trial.rounded.contains(tensor.weight), stepsPerWeight: tensor.stepsPerWeight,
        expectedLoss: tensor.expectedLoss)
    }
  }
}
