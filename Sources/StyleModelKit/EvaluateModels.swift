import Files
public import Runtime
import StyleModelFile

/// What a model is judged by.
public enum EvaluationReference: Hashable, Sendable {
  /// The float model that it was made from.
  case fp32
  /// Another model, by its file.
  case model(String)
  /// A folder of pictures: for each picture shown, the one of the same name there.
  case pictures(folder: String)
}

/// How models are evaluated.
public struct EvaluationOptions: Sendable {
  /// What they are judged by.
  public var reference: EvaluationReference
  /// A folder of pictures to show; nil is the built-in set.
  public var imagesFolder: String?
  /// Where the float model is, when it is neither beside the file nor in the current folder.
  public var sourcePath: String?
  /// How the float model is to be read; nil is as it was read when the file was made.
  public var sourceImportOptions: ImportOptions?
  /// Whether outputs are rounded to bytes before they are compared.
  public var rounded: Bool
  /// Which SSIM is taken.
  public var ssim: SSIMDefinition
  /// The limits.
  public var gates: Gates
  /// An earlier report that the model must keep up with.
  public var baseline: Baseline?
  /// How much worse than the baseline it may be.
  public var baselineLimits: BaselineLimits
  /// Whether flicker between nearly equal frames is measured as well.
  public var temporal: Bool
  /// How a picture is brought to a size that the model allows.
  public var fit: PictureFit
  /// How many threads compute; nil is one for each core.
  public var threads: Int?
  /// What the judged network computes in; the reference always computes in single precision.
  public var precision: ComputePrecision
  /// Whether the report carries the pictures, encoded, for a page that shows them.
  public var keepsPictures = false
  /// Whether the noise of each layer is measured too, which takes about three times as long as the evaluation; only
  /// where the reference is a network of the same layers. It is measured in single precision: it is the weights' own.
  public var measuresLayers = false

  /// Creates options.
  public init(
    reference: EvaluationReference = .fp32, imagesFolder: String? = nil, sourcePath: String? = nil,
    sourceImportOptions: ImportOptions? = nil, rounded: Bool = false, ssim: SSIMDefinition = .standard,
    gates: Gates = Gates(),
    baseline: Baseline? = nil, baselineLimits: BaselineLimits = BaselineLimits(), temporal: Bool = false,
    fit: PictureFit = .resize, threads: Int? = nil, precision: ComputePrecision = .float32
  ) {
    self.reference = reference
    self.imagesFolder = imagesFolder
    self.sourcePath = sourcePath
    self.sourceImportOptions = sourceImportOptions
    self.rounded = rounded
    self.ssim = ssim
    self.gates = gates
    self.baseline = baseline
    self.baselineLimits = baselineLimits
    self.temporal = temporal
    self.fit = fit
    self.threads = threads
    self.precision = precision
  }
}

/// Evaluates a model: shows it and its reference the same pictures and compares what they make of them.
///
/// The reference network is run as its file has it, before any pass, so that what the passes change counts too.
/// - Throws: when a model, the set of pictures or the baseline cannot be read, or what is to be compared is not
///   comparable. A picture that fails is a result, not an error.
public func evaluate(
  _ model: Model, options: EvaluationOptions, progress: (Double) -> Void = { _ in }
) throws(StyleModelError) -> EvaluationReport {
  let subjects =
    if let folder = options.imagesFolder { try pictures(inFolder: folder) } else {
      try EvaluationSubject.builtIn()
    }
  // All that can be refused is refused before the work.
  let entry = try options.baselineEntry(for: model, pictures: subjects.map(\.name))
  try options.requireKnownSource(of: model)
  try model.requireOneStyle()
  let sizes = model.graph.contract.sizes
  let candidate = try Engine(model: model, threads: options.threads, precision: options.precision)
  let reference = try ReferenceOutputs(of: model, engine: candidate, options: options)
  let measures = options.measuresLayers && reference.network != nil
  var compute = EvaluationReport.Compute(name: options.precision.name)
  let results = evaluate(
    subjects,
    reference: { picture, name throws(StyleModelError) in try reference.output(for: picture, name: name) },
    candidate: { picture, name throws(StyleModelError) in
      var overflow: HalfOverflow?
      let output = try candidate.run(
        picture, fitting: sizes, by: options.fit, observer: RunObserver(overflow: { overflow = $0 }))
      if let overflow, compute.firstOverflow == nil {
        compute.firstOverflow = .init(
          picture: name, layer: overflow.layer, what: overflow.what.rawValue, count: overflow.count,
          nonFinitePixels: output.nonFinitePixelCount, text: overflow.text)
      }
      return output
    },
    rounded: options.rounded, ssim: options.ssim, temporal: options.temporal,
    keepsPictures: options.keepsPictures,
    progress: { progress(measures ? $0 * 0.4 : $0) })
  var report = EvaluationReport(
    candidate: model.evaluationSubject, reference: reference.subject, sizes: model.sizeLines,
    shares: model.byteShares, pictures: results, compute: compute, rounded: options.rounded,
    ssim: options.ssim,
    sourceByteCount: model.provenance?.sourceByteCount,
    notes: model.notes + reference.notes(on: subjects.map(\.name)), gates: options.gates)
  if measures, let float = reference.network {
    let layers = try layerNoise(
      of: candidate.graph, beside: float, on: subjects, threads: options.threads,
      progress: { progress(0.4 + 0.6 * $0) })
    if let layers {
      report.layers = layers
    } else {
      report.notes.append("layers are not compared: the two networks are not of the same layers")
    }
  }
  if let entry, let baseline = options.baseline {
    do {
      try report.hold(against: entry, limits: options.baselineLimits)
    } catch { throw error.inFile(baseline.path) }
  }
  return report
}

/// Reads a report that `eval --report` wrote as JSON, to hold later ones against it.
/// - Throws: `.cannotOpen`; `.badInput` when it is not such a report, saying where.
public func readBaseline(_ path: String) throws(StyleModelError) -> Baseline {
  try Baseline(parsing: try readFile(path), path: path)
}

extension EvaluationOptions {
  fileprivate func baselineEntry(
    for model: Model, pictures: [String]
  ) throws(StyleModelError) -> Baseline.Entry? {
    guard let baseline else { return nil }
    let entry = try baseline.entry(named: model.reportName)
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

/// What each layer adds over all pictures that can be read and run.
/// - Returns: nil where the networks are not of the same layers.
private func layerNoise(
  of stored: Graph, beside float: Model, on subjects: [EvaluationSubject], threads: Int?,
  progress: (Double) -> Void
) throws(StyleModelError) -> [LayerNoise]? {
  guard var probe = LayerProbe(float: try float.optimizedGraph().graph, stored: stored, threads: threads)
  else { return nil }
  for (index, subject) in subjects.enumerated() {
    progress(Double(index) / Double(subjects.count))
    // What fails here has failed before, and the report says so.
    if let picture = try? subject.read() { try? probe.measure(picture) }
  }
  progress(1)
  return probe.layers
}

/// The pictures of a folder, in the order of their names.
/// - Throws: `.cannotOpen` when it cannot be listed, `.badInput` when there is no picture in it.
public func pictures(inFolder folder: String) throws(StyleModelError) -> [EvaluationSubject] {
  let names = try listFolder(folder).filter { pictureStem($0) != nil }
  guard !names.isEmpty else {
    throw StyleModelError(
      .badInput, file: folder, "holds no picture", remedy: "put .png, .jpg or .npy files into it")
  }
  return names.map { name in
    EvaluationSubject(name: name) { () throws(StyleModelError) -> Picture in
      try readPicture(folder + "/" + name).picture
    }
  }
}

/// A picture's name without its extension, or nil where the name is not a picture's.
func pictureStem(_ name: String) -> String? {
  guard let dot = name.lastIndex(of: "."),
    ["png", "jpg", "jpeg", "npy"].contains(name[dot...].dropFirst().lowercased())
  else { return nil }
  return String(name[..<dot])
}

extension Model {
  /// How most of the weights are stored: `fp32`, `fp16`, `int8`, `int4-affine`.
  public var storage: String {
    var elements: [String: Int] = [:]
    for constant in graph.constants.values {
      elements[constant.tensor.encoding.shortName, default: 0] += constant.tensor.shape.count
    }
    return elements.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "no weights"
  }

  var evaluationSubject: EvaluationReport.Subject {
    EvaluationReport.Subject(
      name: reportName, storage: storage, byteCount: byteCount,
      sha256: hexadecimal(sha256))
  }

  /// Where a `.stylemodel`'s bytes are, the largest first; none for other files.
  public var sizeLines: [EvaluationReport.SizeLine] {
    sizes?.lines(for: graph) ?? []
  }

  /// A `.stylemodel`'s bytes by layer and kind of storage, in the file's order; none for other files.
  var byteShares: [EvaluationReport.ByteShare] { sizes?.shares(for: graph) ?? [] }
}
