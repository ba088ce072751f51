import Diagnostics
import Imaging

@testable import Evaluation

/// A photograph-like picture: no channel is flat, none at a rail, and no two channels are alike.
func samplePicture(width: Int = 16, height: Int = 12) -> Picture {
  var samples: [Float] = []
  for y in 0..<height {
    for x in 0..<width { samples += [Float(40 + 9 * x), Float(200 - 11 * y), Float(60 + 5 * x + 3 * y)] }
  }
  return Picture(width: width, height: height, samples: samples)
}

/// A picture's result with these figures and nothing odd about it.
func sampleResult(
  _ name: String, meanSquaredError: Double, ssim: Double = 0.99, window: Int = 11, size: String = "256x256"
) throws -> PictureResult {
  let picture = samplePicture()
  let figures = PictureResult.Figures(
    quality: ImageQuality(meanSquaredError: meanSquaredError, ssim: ssim, ssimWindow: window),
    inputIsFlat: false, output: OutputCheck(picture), channelOrder: try ChannelOrderCheck(picture, picture),
    candidateSeconds: 0.25, referenceSeconds: 0.5)
  return PictureResult(name: name, size: size, outcome: .success(figures))
}

/// A picture's failure.
func sampleFailure(_ name: String) -> PictureResult {
  PictureResult(
    name: name, size: "",
    outcome: .failure(
      StyleModelError(
        .badInput, file: name, "is a text file, not a picture that can be read", remedy: "give a PNG")))
}

/// A report of an 8-bit model with these pictures.
func sampleReport(
  _ pictures: [PictureResult], name: String = "mosaic.int8.stylemodel", gates: Gates = Gates(),
  notes: [String] = [],
  rounded: Bool = false
) -> EvaluationReport {
  EvaluationReport(
    candidate: EvaluationReport.Subject(
      name: name, storage: "int8", byteCount: 1_554_321, sha256: String(repeating: "ab", count: 32)),
    reference: EvaluationReport.Subject(
      name: "mosaic_4000.pth", storage: "fp32", byteCount: 6_736_313,
      sha256: String(repeating: "cd", count: 32)),
    sizes: [
      EvaluationReport.SizeLine(name: "16 tensors int8", byteCount: 1_550_000),
      EvaluationReport.SizeLine(name: "header", byteCount: 4_321),
    ], pictures: pictures, rounded: rounded, notes: notes, gates: gates)
}

/// Shows every picture to a reference that gives it back as it is, and to a candidate.
func evaluateAll(
  _ subjects: [EvaluationSubject], candidate: (Picture, String) throws(StyleModelError) -> Picture,
  options: ComparisonOptions = ComparisonOptions()
) -> [PictureResult] {
  var outcomes: [UnitOutcome] = []
  for subject in subjects {
    outcomes.add(
      UnitOutcome(
        picture: evaluate(
          subject, reference: { picture, _ throws(StyleModelError) in (picture, 0.5) }, candidate: candidate,
          options: options)))
  }
  return outcomes.map(\.picture)
}
