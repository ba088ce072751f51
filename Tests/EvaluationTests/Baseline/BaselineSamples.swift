import Diagnostics
import Glibc
import Imaging

@testable import Evaluation

/// A picture's result with these figures; a PSNR that is nil is of a picture that failed.
func result(_ name: String, psnr: Double?, ssim: Double = 0.99, size: String = "8x8") throws -> PictureResult
{
  guard let psnr else {
    return PictureResult(
      name: name, size: "", sha256: "", outcome: .failure(StyleModelError(.badInput, "is no picture")))
  }
  let picture = Picture(width: 2, height: 1, samples: [0, 100, 255, 10, 20, 30])
  let error = psnr == .infinity ? 0 : 255 * 255 * pow(10, -psnr / 10)
  let figures = PictureResult.Figures(
    quality: ImageQuality(meanSquaredError: error, ssim: ssim, ssimWindow: 7), inputIsFlat: false,
    output: OutputCheck(picture), channelOrder: try ChannelOrderCheck(picture, picture), temporal: nil,
    candidateSeconds: 0.5, referenceSeconds: 0.25)
  return PictureResult(name: name, size: size, sha256: "digest of " + name, outcome: .success(figures))
}

/// A report of a model of 1000 bytes, made from 4000.
func report(
  _ pictures: [PictureResult], bytes: Int = 1000, source: Int? = 4000, gates: Gates = Gates()
) -> EvaluationReport {
  EvaluationReport(
    candidate: .init(name: "m.stylemodel", storage: "int8", byteCount: bytes, sha256: "aa"),
    reference: .init(name: "m.pth", storage: "fp32", byteCount: 4000, sha256: "bb"), sizes: [],
    pictures: pictures, rounded: false, sourceByteCount: source, notes: [], gates: gates)
}

/// What a report says, read back as a baseline.
func baseline(_ reports: EvaluationReport...) throws -> Baseline {
  try Baseline(
    parsing: Array(reportJSON(reports, tool: "test").text(indented: true).utf8), path: "old.json")
}
