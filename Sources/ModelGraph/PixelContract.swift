/// What a network expects of pixels and what its output means. Two networks with the same tensors can differ in
/// this alone, so it is a part of the model.
public struct PixelContract: Hashable, Sendable {
  /// The order of the three channels, on both ends.
  public enum ChannelOrder: String, Hashable, Sendable, CaseIterable {
    case rgb, bgr
  }

  /// How the author's own program turns the output into 8-bit pixels.
  public enum Rounding: String, Hashable, Sendable, CaseIterable {
    case nearestEven = "nearest_even"
    case halfUp = "half_up"
    case truncate
  }

  /// The picture sizes that the file allows.
  public enum Sizes: Hashable, Sendable {
    /// Whatever the operations can take.
    case any
    /// These and no others, each `width` by `height`.
    case listed([PictureSize])
    /// From a least to a greatest width and height; nil is without bound.
    case range(width: ClosedSizeRange, height: ClosedSizeRange)
  }

  /// The order of the channels.
  public var channelOrder: ChannelOrder
  /// The network is given `pixel * inputScale + inputBias`, for pixels of 0…255; one factor a channel, in the
  /// network's own channel order.
  public var inputScale: [Float]
  /// See `inputScale`.
  public var inputBias: [Float]
  /// The picture is `output * outputScale + outputBias`, in pixels of 0…255; in the network's channel order.
  public var outputScale: [Float]
  /// See `outputScale`.
  public var outputBias: [Float]
  /// How the author turns the picture into 8 bits, after clamping it to 0…255.
  public var rounding: Rounding
  /// The sizes that the file allows.
  public var sizes: Sizes

  /// Creates a contract.
  /// - Precondition: three factors each.
  public init(
    channelOrder: ChannelOrder = .rgb, inputScale: [Float], inputBias: [Float], outputScale: [Float],
    outputBias: [Float], rounding: Rounding = .nearestEven, sizes: Sizes = .any
  ) {
    precondition([inputScale, inputBias, outputScale, outputBias].allSatisfy { $0.count == 3 })
    self.channelOrder = channelOrder
    self.inputScale = inputScale
    self.inputBias = inputBias
    self.outputScale = outputScale
    self.outputBias = outputBias
    self.rounding = rounding
    self.sizes = sizes
  }
}

/// The size of a picture, in pixels.
public struct PictureSize: Hashable, Sendable, CustomStringConvertible {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  /// Creates a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// As sizes are always written: `640x960`, the width first.
  public var description: String { "\(width)x\(height)" }
}

/// A range of widths or heights, both ends included.
public struct ClosedSizeRange: Hashable, Sendable, CustomStringConvertible {
  /// The least allowed, in pixels.
  public var lower: Int
  /// The greatest allowed, in pixels, or nil without bound.
  public var upper: Int?

  /// Creates a range.
  public init(lower: Int, upper: Int?) {
    self.lower = lower
    self.upper = upper
  }

  /// Whether `extent` lies in the range.
  public func contains(_ extent: Int) -> Bool { extent >= lower && upper.map { extent <= $0 } ?? true }

  /// Whether all of `other` lies in the range.
  public func includes(_ other: ClosedSizeRange) -> Bool {
    contains(other.lower) && (other.upper.map(contains) ?? (upper == nil))
  }

  /// For people: `64…1024` or `64 and more`.
  public var description: String { upper.map { "\(lower)…\($0)" } ?? "\(lower) and more" }
}

extension PixelContract.Sizes {
  /// Whether a picture of this size is allowed.
  public func allow(_ size: PictureSize) -> Bool {
    switch self {
    case .any: true
    case .listed(let sizes): sizes.contains(size)
    case .range(let width, let height): width.contains(size.width) && height.contains(size.height)
    }
  }

  /// Whether every size that `other` allows is allowed here too.
  public func includes(_ other: PixelContract.Sizes) -> Bool {
    switch (self, other) {
    case (.any, _): true
    case (_, .listed(let sizes)): sizes.allSatisfy(allow)
    case (.range(let width, let height), .range(let otherWidth, let otherHeight)):
      width.includes(otherWidth) && height.includes(otherHeight)
    case (_, .any), (.listed, .range): self == other
    }
  }
}

extension PixelContract.Sizes: CustomStringConvertible {
  /// For people: `any size`, `512x512 only`, `640x960 or 960x640`, `width 64 and more, height 64 and more`.
  public var description: String {
    switch self {
    case .any: "any size"
    case .listed(let sizes):
      sizes.count == 1 ? "\(sizes[0]) only" : sizes.map(\.description).joined(separator: " or ")
    case .range(let width, let height): "width \(width), height \(height)"
    }
  }
}
