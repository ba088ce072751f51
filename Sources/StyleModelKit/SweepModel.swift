import Files
import Runtime
import StyleModelFile

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

  /// Creates options.
  public init(
    schemes: [QuantizationOptions], importOptions: ImportOptions = ImportOptions(),
    imagesFolder: String? = nil,
    rounded: Bool = false, fit: PictureFit = .resize, threads: Int? = nil
  ) {
    self.schemes = schemes
    self.importOptions = importOptions
    self.imagesFolder = imagesFolder
    self.rounded = rounded
    self.fit = fit
    self.threads = threads
  }
}

/// Converts a network in memory, one scheme after the other, and evaluates each against the float network.
///
/// The sizes are those of the files that `convert` would write. The float network runs once for each picture, whatever
/// the number of schemes.
/// - Throws: when the network cannot be converted or the pictures cannot be listed. A picture that fails is a result.
public func sweep(
  _ model: Model, options: SweepOptions, progress: (Double) -> Void = { _ in }
) throws(StyleModelError) -> Sweep.Curve {
  try model.requireOneStyle()
  let subjects =
    if let folder = options.imagesFolder { try pictures(inFolder: folder) } else {
      try EvaluationSubject.builtIn()
    }
  var conversions: [Conversion] = []
  for scheme in options.schemes {
    conversions.append(try convert(model, quantization: scheme, importOptions: options.importOptions))
  }
  var results = [[PictureResult]](repeating: [], count: conversions.count)
  let stepCount = Double(subjects.count * (conversions.count + 1))
  var stepsDone = 0.0
  func advance() {
    stepsDone += 1
    progress(stepsDone / stepCount)
  }
  for subject in subjects {
    let shown = ShownPicture(subject, model, options)
    advance()
    for index in conversions.indices {
      results[index].append(shown.judged(conversions[index], options))
      advance()
    }
  }
  let source = model.evaluationSubject
  let points = try zip(zip(options.schemes, conversions), results).map {
    made, results throws(StyleModelError) in
    let sizes = try styleModelSizes(of: made.1.bytes)
    return EvaluationReport(
      candidate: EvaluationReport.Subject(
        name: fileName(of: defaultOutputPath(for: model.path, quantization: made.0)), storage: made.0.name,
        byteCount: made.1.bytes.count, sha256: hexadecimal(sha256(made.1.bytes))),
      reference: source, sizes: sizes.lines(for: made.1.graph),
      shares: sizes.shares(for: made.1.graph), pictures: results, rounded: options.rounded, notes: [],
      gates: Gates())
  }
  return Sweep.Curve(source: source, points: points)
}

/// A picture and what the float network makes of it. Engines are made for one picture and dropped, so that the memory
/// of one network is in use at a time.
private struct ShownPicture {
  private let name: String
  private var size = ""
  private let outcome:
    Result<(picture: Picture, reference: (output: Picture, seconds: Double)), StyleModelError>

  init(_ subject: EvaluationSubject, _ model: Model, _ options: SweepOptions) {
    name = subject.name
    do throws(StyleModelError) {
      let picture = try subject.read()
      size = sizeText(width: picture.width, height: picture.height)
      let engine = try Engine(model.graph, threads: options.threads)
      let reference = try timed { () throws(StyleModelError) in
        try engine.run(picture, fitting: model.graph.contract.sizes, by: options.fit)
      }
      outcome = .success((picture, reference))
    } catch { outcome = .failure(error) }
  }

  /// What a conversion makes of it, compared.
  func judged(_ conversion: Conversion, _ options: SweepOptions) -> PictureResult {
    do throws(StyleModelError) {
      let (picture, reference) = try outcome.get()
      let engine = try Engine(conversion.graph, threads: options.threads)
      let candidate = try timed { () throws(StyleModelError) in
        try engine.run(picture, fitting: conversion.graph.contract.sizes, by: options.fit)
      }
      return try Evaluation.judged(
        name, picture, reference: reference, candidate: candidate, rounded: options.rounded)
    } catch { return PictureResult(name: name, size: size, outcome: .failure(error)) }
  }
}
