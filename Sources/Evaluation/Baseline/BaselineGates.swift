public import Diagnostics
import Glibc

/// How much worse than its baseline a model may be. The default is: not at all, beyond rounding.
public struct BaselineLimits: Hashable, Sendable {
  /// By how many dB a picture may drop. It holds for PSNR, and for SSIM written in dB: -10 log10(1 - SSIM).
  public var maxDrop: Double
  /// By what share the file may grow: 0.01 is 1 %.
  public var maxGrowth: Double

  /// Creates limits.
  public init(maxDrop: Double = 0, maxGrowth: Double = 0) {
    self.maxDrop = maxDrop
    self.maxGrowth = maxGrowth
  }

  /// What counts as rounding, in dB: machines differ in the last bits of a float, and figures by less than this.
  public static let rounding = 0.01
  /// What counts as rounding where pictures are all but identical: a mean squared error that is 100 dB below the peak,
  /// a few thousandths of a step of an 8-bit picture.
  public static let roundingFloor = 100.0
  /// What counts as rounding of an SSIM near 1.
  public static let ssimRounding = 1e-5
}

extension EvaluationReport {
  /// Holds the report against an earlier one and adds a gate each for PSNR, SSIM and bytes, whose checks have the
  /// figures before and after. A picture that was identical and is so no longer has dropped without bound, unless what
  /// differs is rounding.
  /// - Throws: `.badInput` when the two cannot be compared: other pictures, sizes or definitions.
  public mutating func hold(
    against entry: Baseline.Entry, limits: BaselineLimits
  ) throws(StyleModelError) {
    try requireComparable(with: entry)
    let before = Dictionary(uniqueKeysWithValues: entry.pictures.map { ($0.name, $0) })
    gates.append(
      GateResult(
        "baseline-psnr", limit: "PSNR drops by \(fixed(limits.maxDrop, 2)) dB at most",
        checks: checks { name, quality in
          let old = before[name]?.psnr ?? .infinity
          let drop = old == quality.psnr ? 0 : old - quality.psnr
          let passed =
            drop <= limits.maxDrop + BaselineLimits.rounding || quality.psnr >= BaselineLimits.roundingFloor
          let text = "\(fixed(old, 2)) -> \(fixed(quality.psnr, 2)) dB"
          return (-drop, passed, text + " (\(signed(-drop, 2)))", quality.psnr, old)
        }))
    gates.append(
      GateResult(
        "baseline-ssim", limit: "SSIM drops by \(fixed(limits.maxDrop, 2)) dB at most",
        checks: checks { name, quality in
          let old = before[name]?.ssim ?? 1
          let drop = old == quality.ssim ? 0 : ssimDecibels(old) - ssimDecibels(quality.ssim)
          let passed =
            drop <= limits.maxDrop + BaselineLimits.rounding
            || old - quality.ssim <= BaselineLimits.ssimRounding
          let text = "\(fixed(old, 5)) -> \(fixed(quality.ssim, 5)) (\(signed(-drop, 2)) dB)"
          return (-drop, passed, text, quality.ssim, old)
        }))
    if let old = entry.byteCount {
      let growth = Double(candidate.byteCount) / Double(max(old, 1)) - 1
      let text = "\(grouped(old)) -> \(grouped(candidate.byteCount)) (\(signed(100 * growth, 2)) %)"
      gates.append(
        GateResult(
          "baseline-bytes", limit: "bytes grow by \(percentage(limits.maxGrowth)) at most",
          checks: [
            GateResult.Check(
              passed: isWithin(candidate.byteCount, 1 + limits.maxGrowth, of: old), text: text,
              value: Double(candidate.byteCount),
              before: Double(old))
          ]))
    }
    if entry.name != candidate.name {
      notes.append("the baseline has \(entry.name) of the same source: this is held against that")
    }
    if let old = entry.referenceSHA256, !reference.sha256.isEmpty, old != reference.sha256 {
      notes.append("the baseline was taken against another reference: its SHA-256 was \(old)")
    }
  }

  private func requireComparable(with entry: Baseline.Entry) throws(StyleModelError) {
    try entry.requireSamePictures(pictures.map(\.name))
    guard entry.rounded == rounded, entry.definition.hasPrefix(ImageQuality.definition(ssim)) else {
      throw entry.unusable(
        "has other figures for \(entry.name): '\(entry.definition)', and not '\(definition)'")
    }
    guard entry.byteCount != nil || candidate.byteCount == 0 else {
      throw entry.unusable("has no size of \(entry.name)")
    }
    let before = Dictionary(uniqueKeysWithValues: entry.pictures.map { ($0.name, $0) })
    for picture in pictures {
      // The gates fail a picture without figures anyway.
      guard let old = before[picture.name], picture.figures != nil else { continue }
      guard old.psnr != nil else {
        throw entry.unusable("has no figures for picture '\(old.name)' of \(entry.name), which failed then")
      }
      guard old.size == picture.size else {
        throw entry.unusable("has picture '\(old.name)' at \(old.size), which is \(picture.size) now")
      }
      guard old.sha256 == picture.sha256 else {
        throw entry.unusable("has another picture '\(old.name)': its samples' SHA-256 differs")
      }
    }
  }
}

/// SSIM on a scale that, like PSNR's, grows evenly with what is seen; infinite for 1.
private func ssimDecibels(_ ssim: Double) -> Double { -10 * log10(max(1 - ssim, 0)) }
