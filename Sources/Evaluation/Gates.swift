import Diagnostics

/// Limits that a model must keep, or a CI job fails. Each is judged by the worst picture, never by a mean.
public struct Gates: Hashable, Sendable {
  /// The least PSNR of any picture, in dB.
  public var minPSNR: Double?
  /// The least SSIM of any picture.
  public var minSSIM: Double?
  /// The most bytes of the file.
  public var maxBytes: Int?
  /// The most that the file may be of the file that it was made from: 0.25 is a quarter.
  public var maxRatio: Double?

  /// Creates gates; nil is no limit.
  public init(
    minPSNR: Double? = nil, minSSIM: Double? = nil, maxBytes: Int? = nil, maxRatio: Double? = nil
  ) {
    self.minPSNR = minPSNR
    self.minSSIM = minSSIM
    self.maxBytes = maxBytes
    self.maxRatio = maxRatio
  }
}

extension EvaluationReport {
  /// The gates that were set. A picture without figures fails every gate on pictures, and so do no pictures at all.
  public func results(of gates: Gates) -> [GateResult] {
    var results: [GateResult] = []
    if let limit = gates.minPSNR {
      results.append(
        GateResult(
          "min-psnr", limit: "PSNR at least \(fixed(limit, 2)) dB",
          checks: checks { quality in
            (quality.psnr - limit, quality.psnr >= limit, "\(fixed(quality.psnr, 2)) dB", quality.psnr, nil)
          }))
    }
    if let limit = gates.minSSIM {
      results.append(
        GateResult(
          "min-ssim", limit: "SSIM at least \(fixed(limit, 4))",
          checks: checks { quality in
            (quality.ssim - limit, quality.ssim >= limit, fixed(quality.ssim, 5), quality.ssim, nil)
          }))
    }
    if let limit = gates.maxBytes {
      let bytes = candidate.byteCount
      results.append(
        GateResult(
          "max-bytes", limit: "at most \(grouped(limit)) bytes",
          checks: [GateResult.Check(passed: bytes <= limit, text: grouped(bytes), value: Double(bytes))]))
    }
    if let limit = gates.maxRatio {
      results.append(
        GateResult(
          "max-ratio", limit: "at most \(percentage(limit)) of the source's bytes",
          checks: [ratioCheck(limit)]))
    }
    return results
  }

  private func ratioCheck(_ limit: Double) -> GateResult.Check {
    guard let source = sourceByteCount, source > 0 else {
      return GateResult.Check(passed: false, text: "the source's size is not known")
    }
    let ratio = Double(candidate.byteCount) / Double(source)
    return GateResult.Check(
      passed: isWithin(candidate.byteCount, limit, of: source),
      text: "\(percentage(ratio)), \(grouped(candidate.byteCount)) of \(grouped(source))", value: ratio)
  }

  /// What a gate makes of one picture's figures: by how much they keep the limit (the least stands first), whether they
  /// do, the figure in words and as a number, and the number that the baseline has.
  typealias Judgement = (margin: Double, passed: Bool, text: String, value: Double, before: Double?)

  /// One check a picture, the worst first, those without figures last.
  func checks(_ judge: (ImageQuality) -> Judgement) -> [GateResult.Check] {
    checks { _, quality in judge(quality) }
  }

  /// As above, with the picture's name.
  func checks(_ judge: (String, ImageQuality) -> Judgement) -> [GateResult.Check] {
    var judged: [(margin: Double, check: GateResult.Check)] = []
    for picture in pictures {
      switch picture.outcome {
      case .failure:
        let check = GateResult.Check(picture: picture.name, passed: false, text: "failed, without figures")
        judged.append((.infinity, check))
      case .success(let figures):
        let (margin, passed, text, value, before) = judge(picture.name, figures.quality)
        let check = GateResult.Check(
          picture: picture.name, passed: passed, text: text, value: value, before: before)
        judged.append((margin, check))
      }
    }
    // A margin that is not a number is no margin.
    func rank(_ margin: Double) -> Double { margin.isNaN ? -.infinity : margin }
    return judged.enumerated().sorted {
      (rank($0.element.margin), $0.offset) < (rank($1.element.margin), $1.offset)
    }.map(\.element.check)
  }
}

/// Whether bytes are at most a share of others. A byte that only a fraction's rounding takes away is not missed.
func isWithin(_ bytes: Int, _ share: Double, of whole: Int) -> Bool {
  Double(bytes) <= Double(whole) * share + 1e-3
}

/// A share for people: `24.85 %`.
func percentage(_ share: Double) -> String { fixed(100 * share, 2) + " %" }
