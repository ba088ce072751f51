import CKernels

/// Which of the compiled kernels an engine uses.
public enum InstructionSet: Hashable, Sendable, CaseIterable {
  /// The fastest that this processor has.
  case best
  /// AVX2 and FMA where the processor has them, even if it has AVX-512 too.
  case avx2
  /// Code for any processor: what machines without AVX2 and FMA run, here to be tested.
  case portable

  /// The kernels that this processor runs then, in a word: results of one are not those of another to the last bit.
  public var name: String { kernels == CK_INSTRUCTIONS_PORTABLE ? "portable" : "avx2" }

  var kernels: ck_instructions {
    switch self {
    case .best: ck_best_instructions()
    case .avx2: ck_instructions(min(ck_best_instructions().rawValue, CK_INSTRUCTIONS_AVX2.rawValue))
    case .portable: CK_INSTRUCTIONS_PORTABLE
    }
  }
}
