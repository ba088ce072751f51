public import Diagnostics
import Dispatch
import Files
public import Imaging

/// What came of one picture.
public struct PictureResult: Sendable {
  /// The picture's name.
  public var name: String
  /// Its size, `WxH`.
  public var size: String
  /// The SHA-256 of its samples, float32 `[height, width, 3]` in little-endian bytes, in hexadecimal; empty for a
  /// picture that could not be read.
  public var sha256: String
  /// The figures, or why there are none.
  public var outcome: Result<Figures, StyleModelError>
  /// The pictures themselves, where the report is to show them.
  public var exhibit: Exhibit?

  /// Creates a result.
  public init(name: String, size: String, sha256: String = "", outcome: Result<Figures, StyleModelError>) {
    self.name = name
    self.size = size
    self.sha256 = sha256
    self.outcome = outcome
  }

  /// The figures of one picture.
  public struct Figures: Hashable, Sendable {
    /// How far the candidate's picture is from the reference's.
    public var quality: ImageQuality
    /// Whether the picture shown is nearly one colour, which any network gets right.
    public var inputIsFlat: Bool
    /// What is odd about the candidate's output.
    public var output: OutputCheck
    /// Whether red and blue seem to be swapped.
    public var channelOrder: ChannelOrderCheck
    /// How much both change between nearly equal frames; nil where that was not asked for.
    public var temporal: TemporalFigures?
    /// How long the candidate took, in seconds.
    public var candidateSeconds: Double
    /// How long the reference took, in seconds.
    public var referenceSeconds: Double
  }

  /// The figures, if there are any.
  public var figures: Figures? { try? outcome.get() }
}

/// A picture to evaluate on, or why it could not be read.
public struct EvaluationSubject: Sendable {
  /// The picture's name.
  public var name: String
  /// Gives the picture; called when its turn comes, so that one picture is in memory at a time.
  public var read: @Sendable () throws(StyleModelError) -> Picture

  /// Creates a subject.
  public init(name: String, read: @escaping @Sendable () throws(StyleModelError) -> Picture) {
    self.name = name
    self.read = read
  }

  /// The built-in set.
  public static func builtIn() throws(StyleModelError) -> [EvaluationSubject] {
    try builtInEvaluationPictures().map { subject in
      EvaluationSubject(name: subject.name) { () throws(StyleModelError) -> Picture in subject.picture }
    }
  }
}

/// How two outputs are compared, and what of them is kept.
public struct ComparisonOptions: Hashable, Sendable {
  /// Whether both outputs are rounded to bytes before they are compared.
  public var rounded: Bool
  /// Which SSIM is taken.
  public var ssim: SSIMDefinition
  /// Whether both networks are shown nearly equal frames as well, which takes three times as long.
  public var temporal: Bool
  /// Whether results carry their pictures, encoded; of many only the worst do, see `greatestExhibitCount`.
  public var keepsPictures: Bool

  /// Creates options.
  public init(
    rounded: Bool = false, ssim: SSIMDefinition = .standard, temporal: Bool = false,
    keepsPictures: Bool = false
  ) {
    self.rounded = rounded
    self.ssim = ssim
    self.temporal = temporal
    self.keepsPictures = keepsPictures
  }
}

/// Shows one picture to a reference and to a candidate and compares what they make of it. Both see the same pixels at
/// the same size; a picture that fails is a result, and does not stop others.
/// - Parameters:
///   - reference: gives the raw output for a picture and its name, and the seconds that it took; differences are taken
///     in floating point.
///   - candidate: gives the raw output of what is being judged.
///   - options: what is compared and kept.
///   - progress: is told the share done, 0…1.
/// - Returns: the figures, or the failure as a result.
public func evaluate(
  _ subject: EvaluationSubject,
  reference: (Picture, String) throws(StyleModelError) -> TimedOutput,
  candidate: (Picture, String) throws(StyleModelError) -> Picture,
  options: ComparisonOptions, progress: (Double) -> Void = { _ in }
) -> PictureResult {
  var size = ""
  var digest = ""
  do throws(StyleModelError) {
    let picture = try subject.read()
    size = picture.sizeText
    digest = picture.digest
    let expected = try reference(picture, subject.name)
    let actual = try timed { () throws(StyleModelError) in try candidate(picture, subject.name) }
    var result = try judged(
      subject.name, picture, reference: expected, candidate: actual, rounded: options.rounded,
      ssim: options.ssim)
    if options.temporal, case .success(var figures) = result.outcome {
      progress(1.0 / 3)
      figures.temporal = try TemporalFrames(picture).figures(
        referenceOutput: expected.output,
        reference: { (frame) throws(StyleModelError) in try reference(frame, subject.name).output },
        candidateOutput: actual.output,
        candidate: { (frame) throws(StyleModelError) in try candidate(frame, subject.name) },
        rounded: options.rounded)
      result.outcome = .success(figures)
    }
    if options.keepsPictures {
      result.exhibit = Exhibit(
        original: picture, reference: expected.output, candidate: actual.output)
    }
    return result
  } catch {
    return PictureResult(name: subject.name, size: size, sha256: digest, outcome: .failure(error))
  }
}

/// What a network makes of a picture, and the seconds that it took.
public typealias TimedOutput = (output: Picture, seconds: Double)

/// Compares the outputs of two networks for one picture; with each the seconds that it took.
/// - Throws: what `compare` throws.
public func judged(
  _ name: String, _ picture: Picture, reference: TimedOutput, candidate: TimedOutput, rounded: Bool,
  ssim: SSIMDefinition = .standard
) throws(StyleModelError) -> PictureResult {
  guard candidate.output.width == reference.output.width, candidate.output.height == reference.output.height
  else {
    throw StyleModelError(
      .badInput,
      "the model gives \(candidate.output.sizeText), but the reference \(reference.output.sizeText)",
      remedy: "compare pictures of one size")
  }
  let figures = PictureResult.Figures(
    quality: try compare(reference.output, candidate.output, rounded: rounded, ssim: ssim),
    inputIsFlat: OutputCheck(picture).isFlat, output: OutputCheck(candidate.output),
    channelOrder: try ChannelOrderCheck(reference.output, candidate.output),
    candidateSeconds: candidate.seconds, referenceSeconds: reference.seconds)
  return PictureResult(
    name: name, size: picture.sizeText, sha256: picture.digest, outcome: .success(figures))
}

/// The most pictures that a report carries, the worst ones: a folder of thousands still makes a page that opens.
public let greatestExhibitCount = 24

extension [UnitOutcome] {
  /// Adds an outcome, and takes the pictures from the best one while more carry theirs than a report may.
  public mutating func add(_ outcome: UnitOutcome) {
    append(outcome)
    guard outcome.picture.exhibit != nil else { return }
    let carrying = indices.filter { self[$0].picture.exhibit != nil }
    guard carrying.count > greatestExhibitCount else { return }
    let best = carrying.max {
      (self[$0].picture.figures?.quality.psnr ?? 0) < (self[$1].picture.figures?.quality.psnr ?? 0)
    }
    if let best { self[best].picture.exhibit = nil }
  }
}

/// Runs something that gives a picture, and says how long it took.
public func timed(
  _ body: () throws(StyleModelError) -> Picture
) throws(StyleModelError) -> TimedOutput {
  let start = DispatchTime.now().uptimeNanoseconds
  let picture = try body()
  return (picture, Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
}

extension Picture {
  /// The SHA-256 of the samples as little-endian float32, in hexadecimal.
  public var digest: String {
    hexadecimal(Files.sha256(samples.withUnsafeBytes { Array($0) }))
  }

  fileprivate var sizeText: String { Diagnostics.sizeText(width: width, height: height) }
}
