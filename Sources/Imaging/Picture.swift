/// An RGB picture in floating point: what networks are given and what they are compared by.
public struct Picture: Hashable, Sendable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// `[height, width, 3]` in C order, red first, in pixel units: 0 is black, 255 full. A network's raw output may
  /// lie outside.
  public var samples: [Float]

  /// Creates a picture.
  /// - Precondition: there are `width * height * 3` samples.
  public init(width: Int, height: Int, samples: [Float]) {
    precondition(width > 0 && height > 0 && samples.count == width * height * 3)
    self.width = width
    self.height = height
    self.samples = samples
  }
}
