import Diagnostics

/// What a gate said.
public struct GateResult: Hashable, Sendable {
  /// One figure that a gate judged.
  public struct Check: Hashable, Sendable {
    /// The picture that it belongs to; nil for the file as a whole.
    public var picture: String?
    /// Whether it keeps the limit.
    public var passed: Bool
    /// The figure, for people: `43.12 dB`, `43.12 -> 40.02 dB (-3.10)`.
    public var text: String
    /// The figure, in the unit of its gate: dB, SSIM, bytes, a share. Nil where there is none.
    public var value: Double?
    /// The same figure in the baseline.
    public var before: Double?

    /// Creates a check.
    public init(
      picture: String? = nil, passed: Bool, text: String, value: Double? = nil, before: Double? = nil
    ) {
      self.picture = picture
      self.passed = passed
      self.text = text
      self.value = value
      self.before = before
    }

    /// The figure with its picture: `43.12 dB on gradient`.
    public var described: String { picture.map { "\(text) on \($0)" } ?? text }
  }

  /// The option that set it: `min-psnr`; with a baseline, what is compared: `baseline-psnr`.
  public var gate: String
  /// The limit in words: `PSNR at least 45.00 dB`.
  public var limit: String
  /// The figures that it judged, the worst first.
  public var checks: [Check]

  /// Creates a result.
  public init(_ gate: String, limit: String, checks: [Check]) {
    self.gate = gate
    self.limit = limit
    self.checks = checks
  }

  /// Whether there was something to judge and all of it kept the limit.
  public var passed: Bool { !checks.isEmpty && checks.allSatisfy(\.passed) }

  /// The figures that broke the limit, the worst first.
  public var failures: [Check] { checks.filter { !$0.passed } }

  /// The limit, the worst figure, and how many figures broke the limit where there are several.
  public var text: String {
    guard let worst = failures.first ?? checks.first else { return limit + ": no picture was evaluated" }
    let more = failures.count > 1 ? " (the worst of \(failures.count) that failed)" : ""
    return "\(limit): \(worst.described)\(more)"
  }
}
