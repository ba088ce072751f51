import Diagnostics

/// Limits that a model must keep, or a CI job fails.
public struct Gates: Hashable, Sendable {
  /// The least PSNR of any picture, in dB.
  public var minPSNR: Double?
  /// The least SSIM of any picture.
  public var minSSIM: Double?
  /// The most bytes of the file.
  public var maxBytes: Int?

  /// Creates gates; nil is no limit.
  public init(minPSNR: Double? = nil, minSSIM: Double? = nil, maxBytes: Int? = nil) {
    self.minPSNR = minPSNR
    self.minSSIM = minSSIM
    self.maxBytes = maxBytes
  }
}

/// What a gate said.
public struct GateResult: Hashable, Sendable {
  /// The option that set it: `min-psnr`.
  public var gate: String
  /// Whether it held.
  public var passed: Bool
  /// The limit and the figure, with the picture it belongs to, for people.
  public var text: String
}

extension EvaluationReport {
  /// The gates that were set, each judged by its worst picture. No figures at all fail every gate on pictures.
  public func results(of gates: Gates) -> [GateResult] {
    var results: [GateResult] = []
    if let limit = gates.minPSNR {
      let worst = worstPSNR
      results.append(
        GateResult(
          gate: "min-psnr", passed: isComplete && (worst.map { $0.quality.psnr >= limit } ?? false),
          text: "PSNR at least \(fixed(limit, 2)) dB: "
            + (worst.map { "\(fixed($0.quality.psnr, 2)) dB on \($0.name)" } ?? "no picture was evaluated")))
    }
    if let limit = gates.minSSIM {
      let worst = worstSSIM
      results.append(
        GateResult(
          gate: "min-ssim", passed: isComplete && (worst.map { $0.quality.ssim >= limit } ?? false),
          text: "SSIM at least \(fixed(limit, 4)): "
            + (worst.map { "\(fixed($0.quality.ssim, 4)) on \($0.name)" } ?? "no picture was evaluated")))
    }
    if let limit = gates.maxBytes {
      results.append(
        GateResult(
          gate: "max-bytes", passed: candidate.byteCount <= limit,
          text: "at most \(grouped(limit)) bytes: \(grouped(candidate.byteCount))"))
    }
    return results
  }
}
