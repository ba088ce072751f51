/// The keys that our own Core ML models have in their metadata beside those of their provenance.
public enum CoreMLFormat {
  /// How the author rounds to 8 bits, a raw value of `PixelContract.Rounding`.
  public static let rounding = "stylemodel.rounding"
}
