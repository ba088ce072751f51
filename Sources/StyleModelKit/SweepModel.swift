/// How networks are swept.
public struct SweepOptions: Sendable {
  /// The ways to store the weights, in the order in which they are reported.
  public var schemes: [QuantizationOptions]
  /// How the network was read, for the record in each file.
  public var importOptions: ImportOptions
  /// A folder of pictures to show; nil is the built-in set.
  public var imagesFolder: String?
  /// Whether outputs are rounded to bytes before they are compared.
  public var rounded: Bool
  /// How a picture is brought to a size that the network allows.
  public var fit: PictureFit
  /// How many threads compute; nil is one for each core.
  public var threads: Int?
  /// The limits that every point must keep.
  public var gates: Gates
  /// Pictures to calibrate integers and palettes with; nil rounds each weight to the nearest.
  public var calibration: CalibrationSet?
  /// A folder where results are kept that other evaluations need too (see `ContentCache`); nil keeps none.
  public var cacheFolder: String?

  /// Creates options.
  public init(
    schemes: [QuantizationOptions], importOptions: ImportOptions = ImportOptions(),
    imagesFolder: String? = nil,
    rounded: Bool = false, fit: PictureFit = .resize, threads: Int? = nil, gates: Gates = Gates(),
    calibration: CalibrationSet? = nil, cacheFolder: String? = nil
  ) {
    self.schemes = schemes
    self.importOptions = importOptions
    self.imagesFolder = imagesFolder
    self.rounded = rounded
    self.fit = fit
    self.threads = threads
    self.gates = gates
    self.calibration = calibration
    self.cacheFolder = cacheFolder
  }
}

/// Converts a network in memory, one scheme after the other, and evaluates each against the float network.
///
/// The sizes are those of the files that `convert` would write. The float network runs once for each picture, whatever
/// the number of schemes.
/// - Throws: when the pictures cannot be listed. A scheme that the network cannot be stored in, and a picture that
///   fails, are results.
public func sweep(
  _ model: Model, options: SweepOptions, progress: (Double) -> Void = { _ in }
) throws(StyleModelError) -> Sweep.Curve {
  try sweep(SweptModel(model, options: options), options: options, progress: progress)
}

/// The same of a network in a file, where one that cannot be read is a result too: every picture fails in every scheme.
public func sweep(
  path: String, options: SweepOptions, progress: (Double) -> Void = { _ in }
) throws(StyleModelError) -> Sweep.Curve {
  try sweep(SweptModel(path: path, options: options), options: options, progress: progress)
}

private func sweep(
  _ model: SweptModel, options: SweepOptions, progress: (Double) -> Void
) throws(StyleModelError) -> Sweep.Curve {
  let subjects = try evaluationSubjects(inFolder: options.imagesFolder)
  let schemes = options.schemes.indices
  var outcomes = [[UnitOutcome]](repeating: [], count: schemes.count)
  let unitCount = Double(subjects.count * schemes.count)
  for (number, subject) in subjects.enumerated() {
    for scheme in schemes {
      outcomes[scheme].add(model.outcome(scheme: scheme, subject))
      progress(Double(number * schemes.count + scheme + 1) / unitCount)
    }
  }
  return Sweep.Curve(
    heads: schemes.map(model.head), outcomes: outcomes, rounded: options.rounded, gates: options.gates)
}
