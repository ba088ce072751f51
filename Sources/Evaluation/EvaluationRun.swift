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

/// Shows every picture to a reference and to a candidate and compares what they make of it. Both see the same
/// pixels at the same size; a picture that fails does not stop the others.
/// - Parameters:
///   - reference: gives the raw output for a picture and its name; differences are taken in floating point.
///   - candidate: the same for what is being judged.
///   - rounded: whether both outputs are rounded to bytes before they are compared.
///   - ssim: which SSIM is taken.
///   - temporal: whether both are shown nearly equal frames as well, which takes three times as long.
///   - keepsPictures: whether results carry their pictures, encoded; of many only the worst do, see
///     `greatestExhibitCount`.
///   - progress: is told the share done, 0…1.
public func evaluate(
  _ subjects: [EvaluationSubject],
  reference: (Picture, String) throws(StyleModelError) -> Picture,
  candidate: (Picture, String) throws(StyleModelError) -> Picture,
  rounded: Bool, ssim: SSIMDefinition = .standard, temporal: Bool = false, keepsPictures: Bool = false,
  progress: (Double) -> Void
) -> [PictureResult] {
  var results: [PictureResult] = []
  for (index, subject) in subjects.enumerated() {
    progress(Double(index) / Double(subjects.count))
    var size = ""
    var digest = ""
    do throws(StyleModelError) {
      let picture = try subject.read()
      size = picture.sizeText
      digest = picture.sha256
      let (expected, referenceSeconds) = try timed { () throws(StyleModelError) in
        try reference(picture, subject.name)
      }
      let (actual, candidateSeconds) = try timed { () throws(StyleModelError) in
        try candidate(picture, subject.name)
      }
      var result = try judged(
        subject.name, picture, reference: (expected, referenceSeconds), candidate: (actual, candidateSeconds),
        rounded: rounded, ssim: ssim)
      if temporal, case .success(var figures) = result.outcome {
        progress((Double(index) + 1.0 / 3) / Double(subjects.count))
        figures.temporal = try TemporalFrames(picture).figures(
          referenceOutput: expected,
          reference: { (frame) throws(StyleModelError) in try reference(frame, subject.name) },
          candidateOutput: actual,
          candidate: { (frame) throws(StyleModelError) in try candidate(frame, subject.name) },
          rounded: rounded)
        result.outcome = .success(figures)
      }
      if keepsPictures {
        result.exhibit = Exhibit(original: picture, reference: expected, candidate: actual)
      }
      results.append(result)
      results.dropSurplusExhibits()
    } catch {
      results.append(PictureResult(name: subject.name, size: size, sha256: digest, outcome: .failure(error)))
    }
  }
  progress(1)
  return results
}

/// Compares the outputs of two networks for one picture; with each the seconds that it took.
/// - Throws: what `compare` throws.
public func judged(
  _ name: String, _ picture: Picture, reference: (output: Picture, seconds: Double),
  candidate: (output: Picture, seconds: Double), rounded: Bool, ssim: SSIMDefinition = .standard
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
    name: name, size: picture.sizeText, sha256: picture.sha256, outcome: .success(figures))
}

/// The most pictures that a report carries, the worst ones: a folder of thousands still makes a page that opens.
public let greatestExhibitCount = 24

extension [PictureResult] {
  /// Takes the pictures from the best result while more carry theirs than a report may.
  fileprivate mutating func dropSurplusExhibits() {
    let carrying = indices.filter { self[$0].exhibit != nil }
    guard carrying.count > greatestExhibitCount else { return }
    let best = carrying.max {
      (self[$0].figures?.quality.psnr ?? 0) < (self[$1].figures?.quality.psnr ?? 0)
    }
    if let best { self[best].exhibit = nil }
  }
}

/// Runs something that gives a picture, and says how long it took.
public func timed(
  _ body: () throws(StyleModelError) -> Picture
) throws(StyleModelError) -> (Picture, seconds: Double) {
  let start = DispatchTime.now().uptimeNanoseconds
  let picture = try body()
  return (picture, Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
}

extension Picture {
  /// The SHA-256 of the samples as little-endian float32, in hexadecimal.
  fileprivate var sha256: String {
    hexadecimal(Files.sha256(samples.withUnsafeBytes { Array($0) }))
  }

  fileprivate var sizeText: String { Diagnostics.sizeText(width: width, height: height) }
}
