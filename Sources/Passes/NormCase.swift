import ModelGraph

/// What can happen to a norm, decided by what it is and what stands before it, never by its name.
enum NormCase: Hashable, CaseIterable {
  case storedAfterConvolution
  case storedAfterNorm
  case storedAfterConditional
  case storedAfterSharedResult
  case storedAfterOther
  case storedOutOfRange
  case liveAfterConvolution
  case liveAfterBiasedConvolution
  case liveAfterOther
  case conditional

  /// The table: whether the norm goes, and what is said of it.
  var outcome: (kind: PassNote.Kind, text: String) {
    switch self {
    case .storedAfterConvolution:
      (.done, "stored statistics: folded into weights and bias of the convolution before it")
    case .storedAfterNorm:
      (.done, "stored statistics: folded into gamma and beta of the norm before it")
    case .storedAfterConditional:
      (
        .leftAlone,
        "stored statistics, not folded: gamma and beta of the norm before it depend on the style; choose one with --style"
      )
    case .storedAfterSharedResult:
      (.leftAlone, "stored statistics, not folded: what it normalises is used elsewhere too")
    case .storedAfterOther:
      (.leftAlone, "stored statistics, not folded: no convolution or norm stands right before it")
    case .storedOutOfRange:
      (.leftAlone, "stored statistics, not folded: it would give no finite weights")
    case .liveAfterConvolution:
      (
        .leftAlone,
        "live statistics: taken from each picture, so it cannot be folded; the convolution before it needs no bias"
      )
    case .liveAfterBiasedConvolution:
      (
        .leftAlone,
        "live statistics: taken from each picture, so it cannot be folded; the bias before it had to stay"
      )
    case .liveAfterOther:
      (.leftAlone, "live statistics: taken from each picture, so it cannot be folded")
    case .conditional:
      (
        .leftAlone,
        "live statistics, gamma and beta by style: the table stays; --style or --blend folds one choice into them"
      )
    }
  }

  /// The case of a norm with stored statistics.
  /// - Parameters:
  ///   - producer: what computes the value that it normalises; nil for the picture itself.
  ///   - isShared: whether that value is used elsewhere too.
  static func stored(after producer: Operation?, isShared: Bool) -> NormCase {
    switch producer {
    case .convolution, .transposedConvolution: isShared ? .storedAfterSharedResult : .storedAfterConvolution
    case .instanceNorm, .batchNorm: isShared ? .storedAfterSharedResult : .storedAfterNorm
    case .conditionalInstanceNorm: isShared ? .storedAfterSharedResult : .storedAfterConditional
    case .pad, .activation, .binary, .upsample, .resize, .crop, nil: .storedAfterOther
    }
  }

  /// The case of a norm with live statistics.
  /// - Parameter producer: what computes the value that it normalises; nil for the picture itself.
  static func live(after producer: Operation?) -> NormCase {
    switch producer {
    case .convolution, .transposedConvolution:
      producer?.bias == nil ? .liveAfterConvolution : .liveAfterBiasedConvolution
    case .instanceNorm, .conditionalInstanceNorm, .batchNorm, .pad, .activation, .binary, .upsample, .resize,
      .crop,
      nil:
      .liveAfterOther
    }
  }
}
