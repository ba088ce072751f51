public import Runtime

/// How a picture is brought to a size that a model allows, and its result back to the picture's own size.
public enum PictureFit: String, Hashable, Sendable, CaseIterable {
  /// Stretched, as apps do.
  case resize
  /// Scaled until it covers the size; what hangs over at the sides is cut off, and stays cut off.
  case crop
  /// Scaled until it fits inside; the rest is filled with its edge pixels, and cut off again afterwards.
  case pad
}

extension Engine {
  /// Runs a picture at a size that `sizes` allow. A picture of an allowed size is run as it is.
  /// - Returns: the raw output at the picture's own size; of a cropped picture, the part that was left, at its own
  ///   scale.
  /// - Throws: what `run` throws.
  public func run(
    _ picture: consuming Picture, fitting sizes: PixelContract.Sizes, by fit: PictureFit,
    observer: RunObserver = RunObserver()
  ) throws(StyleModelError) -> Picture {
    let own = PictureSize(width: picture.width, height: picture.height)
    let target = sizes.nearest(to: own)
    guard target != own else { return try run(consume picture, observer: observer) }
    switch fit {
    case .resize:
      let output = try run(picture.resized(to: target).clamped(), observer: observer)
      return output.resized(to: own)
    case .crop:
      let scale = max(
        Double(target.width) / Double(own.width), Double(target.height) / Double(own.height))
      let width = min(own.width, max(1, Int((Double(target.width) / scale).rounded())))
      let height = min(own.height, max(1, Int((Double(target.height) / scale).rounded())))
      let part = picture.cropped(
        x: (own.width - width) / 2, y: (own.height - height) / 2, width: width, height: height)
      return try run(part.resized(to: target).clamped(), observer: observer).resized(
        width: width, height: height)
    case .pad:
      let scale = min(
        Double(target.width) / Double(own.width), Double(target.height) / Double(own.height))
      let width = min(target.width, max(1, Int((Double(own.width) * scale).rounded())))
      let height = min(target.height, max(1, Int((Double(own.height) * scale).rounded())))
      let inside = picture.resized(width: width, height: height).clamped()
      let output = try run(inside.paddedWithEdges(to: target), observer: observer)
      return output.cropped(x: 0, y: 0, width: width, height: height).resized(to: own)
    }
  }
}

extension PixelContract.Sizes {
  /// The allowed size that is nearest to a picture's: the picture's own where it is allowed; of a list, the one of
  /// the nearest shape, and of those the one of the nearest area; of a range, each side moved into it.
  public func nearest(to size: PictureSize) -> PictureSize {
    guard !allow(size) else { return size }
    switch self {
    case .any: return size
    case .range(let width, let height):
      return PictureSize(
        width: min(max(size.width, width.lower), width.upper ?? .max),
        height: min(max(size.height, height.lower), height.upper ?? .max))
    case .listed(let sizes):
      /// How far two quotients are apart, whichever is larger.
      func distance(_ a: Double, _ b: Double) -> Double { max(a / b, b / a) }
      func rank(_ other: PictureSize) -> (Double, Double) {
        (
          distance(Double(other.width) / Double(other.height), Double(size.width) / Double(size.height)),
          distance(Double(other.width) * Double(other.height), Double(size.width) * Double(size.height))
        )
      }
      return sizes.min { rank($0) < rank($1) } ?? size
    }
  }
}

extension Picture {
  fileprivate func resized(to size: PictureSize) -> Picture {
    resized(width: size.width, height: size.height)
  }

  /// The picture at the top left of a larger one, its last column and row repeated.
  fileprivate func paddedWithEdges(to size: PictureSize) -> Picture {
    var result: [Float] = []
    result.reserveCapacity(size.width * size.height * 3)
    for y in 0..<size.height {
      let row = samples[(min(y, height - 1) * width * 3)...].prefix(width * 3)
      result += row
      for _ in width..<size.width { result += row.suffix(3) }
    }
    return Picture(width: size.width, height: size.height, samples: result)
  }
}
