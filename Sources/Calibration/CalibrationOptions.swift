public import Imaging

/// A picture to calibrate with.
public struct CalibrationPicture: Sendable {
  /// A short name without spaces.
  public var name: String
  /// The picture, of a size that the network takes.
  public var picture: Picture
  /// Whether it is a smooth ramp, which live norms amplify beyond all photographs: ramps count by
  /// `CalibrationOptions.rampShare` and not by what an error does to them.
  public var isRamp: Bool

  /// Creates a picture to calibrate with.
  public init(name: String, picture: Picture, isRamp: Bool = false) {
    self.name = name
    self.picture = picture
    self.isRamp = isRamp
  }
}

/// How statistics are gathered.
public struct CalibrationOptions: Hashable, Sendable {
  /// The share of the smooth ramps in the expected loss, from 0 to below 1; half of it makes them count as much as all
  /// photographs together.
  public var rampShare: Double
  /// How many random gradients are sent back for each picture; half as many for a ramp, of which there are more.
  public var probes: Int
  /// How many positions of a picture are looked at in each convolution, at most.
  public var positions: Int
  /// How many threads compute; nil is one for each core.
  public var threads: Int?

  /// Creates options.
  public init(rampShare: Double = 0.02, probes: Int = 6, positions: Int = 2048, threads: Int? = nil) {
    self.rampShare = rampShare
    self.probes = probes
    self.positions = positions
    self.threads = threads
  }
}
