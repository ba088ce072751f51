import Files
import Runtime

/// A model beside what it is judged by, ready to be shown pictures, one at a time and in any order.
struct EvaluatedModel {
  /// What the report says before any picture is shown.
  let head: ReportHead
  private let options: EvaluationOptions
  private let sizes: PixelContract.Sizes
  private let candidate: Engine
  private let reference: ReferenceOutputs
  /// With no sums yet; nil where layers are not measured.
  private let probe: LayerProbe?

  /// Gets a model and its reference ready.
  /// - Parameter pictures: the names of all pictures of the evaluation, those included that others show.
  /// - Throws: when the reference cannot be read, or what is to be compared is not comparable.
  init(_ model: Model, options: EvaluationOptions, pictures: [String]) throws(StyleModelError) {
    self.options = options
    // All that can be refused is refused before the work.
    _ = try options.baselineEntry(
      for: model.reportName, source: model.provenance.map { hexadecimal($0.sourceSHA256) }, pictures: pictures
    )
    try options.requireKnownSource(of: model)
    try model.requireOneStyle()
    sizes = model.graph.contract.sizes
    candidate = try Engine(model: model, threads: options.threads, precision: options.precision)
    reference = try ReferenceOutputs(of: model, engine: candidate, options: options)
    var head = ReportHead(
      candidate: model.evaluationSubject, reference: reference.subject, sizes: model.sizeLines,
      shares: model.byteShares, compute: options.precision.name,
      sourceByteCount: model.provenance?.sourceByteCount,
      sourceSHA256: model.provenance.map { hexadecimal($0.sourceSHA256) },
      notes: model.notes + reference.notes(on: pictures))
    var probe: LayerProbe?
    if options.measuresLayers, let float = reference.network {
      probe = LayerProbe(
        float: try float.optimizedGraph().graph, stored: candidate.graph, threads: options.threads)
      head.layers = probe?.layers ?? []
      if probe == nil {
        head.closingNotes = ["layers are not compared: the two networks are not of the same layers"]
      }
    }
    self.probe = probe
    self.head = head
  }

  /// Shows a picture to both.
  func outcome(for subject: EvaluationSubject, progress: (Double) -> Void = { _ in }) -> UnitOutcome {
    var first: EvaluationReport.Compute.Overflow?
    let share = probe == nil ? 1 : 0.4
    let result = evaluate(
      subject,
      reference: { picture, name throws(StyleModelError) in try reference.output(for: picture, name: name) },
      candidate: { picture, name throws(StyleModelError) in
        var overflow: HalfOverflow?
        let output = try candidate.run(
          picture, fitting: sizes, by: options.fit, observer: RunObserver(overflow: { overflow = $0 }))
        if let overflow, first == nil {
          first = .init(
            picture: name, layer: overflow.layer, what: overflow.what.rawValue, count: overflow.count,
            nonFinitePixels: output.nonFinitePixelCount, text: overflow.text)
        }
        return output
      }, options: options.comparison, progress: { progress($0 * share) })
    var outcome = UnitOutcome(picture: result, overflow: first)
    progress(share)
    // What fails here has failed before, and the report says so.
    if var probe, let picture = try? subject.read(), (try? probe.measure(picture)) != nil {
      outcome.layers = probe.layers.map {
        .init(signal: $0.signal, ownNoise: $0.ownNoise, arrivedNoise: $0.arrivedNoise)
      }
    }
    return outcome
  }
}

extension EvaluationOptions {
  /// How two outputs are compared.
  var comparison: ComparisonOptions {
    ComparisonOptions(rounded: rounded, ssim: ssim, temporal: temporal, keepsPictures: keepsPictures)
  }

  /// The report of a model, from what its pictures gave.
  /// - Parameters:
  ///   - path: the model's file.
  ///   - pictures: the names of all pictures.
  /// - Throws: when it cannot be held against the baseline.
  func report(
    _ path: String, head: ReportHead, outcomes: [UnitOutcome]
  ) throws(StyleModelError) -> EvaluationReport {
    var report = EvaluationReport(
      head: head, outcomes: outcomes, rounded: rounded, ssim: ssim, gates: gates)
    let entry = try baselineEntry(
      for: head.candidate.name, source: head.sourceSHA256, pictures: outcomes.map(\.picture.name))
    if let entry, let baseline {
      do { try report.hold(against: entry, limits: baselineLimits) } catch {
        throw error.inFile(baseline.path)
      }
    }
    return report
  }

  fileprivate func baselineEntry(
    for name: String, source: String?, pictures: [String]
  ) throws(StyleModelError) -> Baseline.Entry? {
    guard let baseline else { return nil }
    let entry = try baseline.entry(named: name, source: source)
    do { try entry.requireSamePictures(pictures) } catch { throw error.inFile(baseline.path) }
    return entry
  }

  fileprivate func requireKnownSource(of model: Model) throws(StyleModelError) {
    guard gates.maxRatio != nil, model.provenance == nil else { return }
    throw StyleModelError(
      .badInput, file: model.path,
      "was not made by 'stylemodel convert', so there is no source to relate its size to",
      remedy: "leave out --max-ratio, or give --max-bytes")
  }
}
