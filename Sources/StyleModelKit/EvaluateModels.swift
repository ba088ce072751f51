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
  /// A folder where results are kept that other evaluations need too (see `ContentCache`); nil keeps none.
  public var cacheFolder: String?

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
  let subjects = try evaluationSubjects(inFolder: options.imagesFolder)
  let evaluated = try EvaluatedModel(model, options: options, pictures: subjects.map(\.name))
  var outcomes: [UnitOutcome] = []
  for (index, subject) in subjects.enumerated() {
    let done = Double(index)
    progress(done / Double(subjects.count))
    outcomes.add(evaluated.outcome(for: subject) { progress((done + $0) / Double(subjects.count)) })
  }
  progress(1)
  return try options.report(model.path, head: evaluated.head, outcomes: outcomes)
}

/// Reads a report that `eval --report` wrote as JSON, to hold later ones against it.
/// - Throws: `.cannotOpen`; `.badInput` when it is not such a report, saying where.
public func readBaseline(_ path: String) throws(StyleModelError) -> Baseline {
  try Baseline(parsing: try readFile(path), path: path)
}

/// The pictures of a folder, or the built-in set where there is none.
/// - Throws: what `pictures(inFolder:)` throws.
func evaluationSubjects(inFolder folder: String?) throws(StyleModelError) -> [EvaluationSubject] {
  if let folder { try pictures(inFolder: folder) } else { try EvaluationSubject.builtIn() }
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
  /// How most of the weights are stored: `fp32`, `fp16`, `int8`, `int4-affine`; `int6 to int10` where integers have several
  /// widths.
  public var storage: String {
    var elements: [String: Int] = [:]
    var widths: [Int: Int] = [:]
    var total = 0
    for constant in graph.constants.values {
      let tensor = constant.tensor
      total += tensor.shape.count
      elements[tensor.encoding.shortName, default: 0] += tensor.shape.count
      if case .affine(let affine) = tensor.encoding { widths[affine.bits, default: 0] += tensor.shape.count }
    }
    if let least = widths.keys.min(), let most = widths.keys.max(), least < most,
      2 * widths.values.reduce(0, +) > total
    {
      return "int\(least) to int\(most)"
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
