import Diagnostics
public import Imaging

/// The pictures of one result, encoded to be shown in a page. They are encoded as soon as they are there, so that a
/// report holds no picture in floating point.
public struct Exhibit: Hashable, Sendable {
  /// A picture in a format that every browser shows.
  public struct EncodedPicture: Hashable, Sendable {
    /// `.png` or `.jpeg`.
    public let format: PictureFormat
    /// The file.
    public let bytes: [UInt8]
  }

  /// What both networks were shown.
  public let original: EncodedPicture
  /// What the reference made of it.
  public let reference: EncodedPicture
  /// What the candidate made of it.
  public let candidate: EncodedPicture
  /// The difference of the two, on a fixed scale; see `ErrorMap`.
  public let errors: EncodedPicture
  /// The width that all four are shown at, in pixels.
  public let width: Int
  /// The height that all four are shown at, in pixels.
  public let height: Int
  /// Whether that is less than the outputs' own size.
  public let isScaledDown: Bool
  /// The share of the pixels whose error is greater than 1, 4 and 16 grey levels, 0…1.
  public let sharesAbove: [Double]
  /// The greatest error of any pixel, in grey levels.
  public let greatestError: Double

  /// The longest side that pictures are shown at.
  static let longestSide = 1024
  /// The most bytes that an output may take as PNG: beyond that both are shown as JPEG of quality 95.
  static let largestPNG = 400_000
  /// The grey levels behind `sharesAbove`.
  static let errorSteps: [Float] = [1, 4, 16]

  /// Creates an exhibit from what was encoded elsewhere.
  init(
    original: EncodedPicture, reference: EncodedPicture, candidate: EncodedPicture, errors: EncodedPicture,
    width: Int, height: Int, isScaledDown: Bool, sharesAbove: [Double], greatestError: Double
  ) {
    self.original = original
    self.reference = reference
    self.candidate = candidate
    self.errors = errors
    self.width = width
    self.height = height
    self.isScaledDown = isScaledDown
    self.sharesAbove = sharesAbove
    self.greatestError = greatestError
  }

  /// Encodes the pictures of one result; nil where an output holds what is no picture.
  /// - Precondition: the outputs have one size.
  init?(original: Picture, reference: Picture, candidate: Picture) {
    let longest = max(reference.width, reference.height)
    let scale = min(1, Double(Self.longestSide) / Double(longest))
    width = max(1, Int((Double(reference.width) * scale).rounded()))
    height = max(1, Int((Double(reference.height) * scale).rounded()))
    isScaledDown = longest > Self.longestSide
    let map = ErrorMap(reference, candidate)
    sharesAbove = Self.errorSteps.map(map.share(above:))
    greatestError = Double(map.greatest)
    do {
      self.original = try encoded(original.shown(width, height), as: nil)
      let outputs = (reference.shown(width, height), candidate.shown(width, height))
      let pair = (
        try encodePNG(outputs.0, rounding: .nearestEven), try encodePNG(outputs.1, rounding: .nearestEven)
      )
      if max(pair.0.count, pair.1.count) <= Self.largestPNG {
        self.reference = EncodedPicture(format: .png, bytes: pair.0)
        self.candidate = EncodedPicture(format: .png, bytes: pair.1)
      } else {
        // Both alike: what a codec does to one of them must not look like a difference.
        self.reference = try encoded(outputs.0, as: .jpeg)
        self.candidate = try encoded(outputs.1, as: .jpeg)
      }
      errors = try encoded(map.shrunk(width: width, height: height).drawn(), as: nil)
    } catch { return nil }
  }

  /// Whether both outputs are shown without loss, apart from their scale.
  var isLossless: Bool { reference.format == .png && candidate.format == .png }
}

/// Encodes a picture; without a format as JPEG where that is much smaller than PNG, as it is for photographs.
private func encoded(
  _ picture: Picture, as format: PictureFormat?
) throws(StyleModelError) -> Exhibit.EncodedPicture {
  let jpeg = try encodeJPEG(picture, rounding: .nearestEven)
  if format == .jpeg { return Exhibit.EncodedPicture(format: .jpeg, bytes: jpeg) }
  let png = try encodePNG(picture, rounding: .nearestEven)
  let isMuchSmaller = jpeg.count < png.count / 2
  return Exhibit.EncodedPicture(
    format: isMuchSmaller ? .jpeg : .png, bytes: isMuchSmaller ? jpeg : png)
}

extension Picture {
  /// The picture as it is shown at a size.
  fileprivate func shown(_ width: Int, _ height: Int) -> Picture {
    resized(width: width, height: height).clamped()
  }
}
