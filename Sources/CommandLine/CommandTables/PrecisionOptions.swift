import Diagnostics
import Runtime

/// In what a network is computed; shared by the commands that compute pictures.
enum PrecisionOptions {
  /// The words of `--compute`.
  enum Word: String, CaseIterable { case fp32, fp16 }

  static let compute = ValueOption(
    "compute", ValueReader<Word>.choice("TYPE"),
    """
    What the network computes in: fp32 (default), or fp16 as a phone's GPU does, every weight and every operation's \
    result rounded to half precision. Says which layer overflows first.
    """)
  static let halfStatistics = OptionSpec(
    "fp16-statistics",
    "With --compute fp16: hold the sums behind instance norms in half precision too, to see them overflow.")

  /// The precision that the arguments ask for.
  static func precision(_ arguments: ParsedArguments) throws(StyleModelError) -> ComputePrecision {
    let inHalf = arguments.has(halfStatistics)
    switch arguments[compute] ?? .fp32 {
    case .fp16: return .float16(statistics: inHalf ? .float16 : .float32)
    case .fp32:
      guard !inHalf else {
        throw StyleModelError(
          .usage, "\(halfStatistics.typed) says how half precision is computed",
          remedy: "add --compute fp16")
      }
      return .float32
    }
  }
}
