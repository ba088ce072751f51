import Glibc

/// How a layer's output differs between the two networks, over all pictures.
///
/// The output is that of a convolution and of the norms that follow it directly: a bias that a live norm removes, or a
/// stored norm that was folded into the weights, makes no difference there. Ratios are of sums of squares.
public struct LayerNoise: Hashable, Sendable {
  /// The name of the layer's weight.
  public var name: String
  /// The extents of the weight: `[32, 3, 9, 9]`.
  public var shape: String
  /// How the weight is stored: `int8 per channel (axis 0)`.
  public var storage: String
  /// The sum of the squares of the float network's output.
  public var signal: Double
  /// The sum of the squared differences where the layer, stored as it is, is fed what the float network feeds it.
  public var ownNoise: Double
  /// The sum of the squared differences between the two networks: with what all layers before this one have added.
  public var arrivedNoise: Double

  /// Creates a result.
  public init(
    name: String, shape: String, storage: String, signal: Double = 0, ownNoise: Double = 0,
    arrivedNoise: Double = 0
  ) {
    self.name = name
    self.shape = shape
    self.storage = storage
    self.signal = signal
    self.ownNoise = ownNoise
    self.arrivedNoise = arrivedNoise
  }

  /// The signal-to-noise ratio of the layer by itself, in dB; infinite without noise.
  public var ownRatio: Double { ratio(ownNoise) }
  /// The signal-to-noise ratio with all that the layers before have added, in dB.
  public var arrivedRatio: Double { ratio(arrivedNoise) }
  /// The layer's own noise in relation to its signal, as powers.
  public var relativeNoise: Double { signal > 0 ? ownNoise / signal : 0 }

  private func ratio(_ noise: Double) -> Double { noise == 0 ? .infinity : 10 * log10(signal / noise) }

  /// What is compared, in words, to be printed beside the figures.
  public static let definition =
    "Signal-to-noise of a layer: 10·log10(Σ float² / Σ (float − stored)²) in dB, over all channels, pixels and pictures, "
    + "at the output of each convolution and of the norms directly after it. Own: the layer as it is stored, fed with "
    + "the float network's activations. Arrived: the whole network as it is stored, up to there"
}
