/// Which of the definitions in use SSIM is taken by. Figures of one must not be held against
/// those of another: a photograph with a pattern over it has 0.87, 0.95 and 0.88 by the three (tools/metric-goldens.py).
public enum SSIMDefinition: String, Hashable, Sendable, CaseIterable {
  /// Wang's Gaussian window on each channel, the default, and that of scikit-image with `gaussian_weights`.
  case standard
  /// The same on luma alone, `0.299 R + 0.587 G + 0.114 B`.
  case luma
  /// What scikit-image's `structural_similarity` does when it is told nothing: a uniform window of 7x7, sample
  /// covariance.
  case skimage

  /// The side of the square window where the picture has room for it.
  public var window: Int { self == .skimage ? 7 : 11 }

  /// The definition in words, to be printed beside the figures.
  public var words: String {
    switch self {
    case .standard: Self.gaussian + ", mean over channels"
    case .luma: Self.gaussian + ", on luma (BT.601)"
    case .skimage:
      "SSIM: uniform window 7x7, K1 0.01, K2 0.03, peak 255, sample covariance, valid windows, mean over channels"
    }
  }

  private static let gaussian =
    "SSIM: Gaussian window 11x11, sigma 1.5, K1 0.01, K2 0.03, peak 255, population variance, valid windows"
}
