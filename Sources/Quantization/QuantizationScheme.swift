import Tensors

/// One way to store weights, or a modifier of one: a row of the table that option names, help and documentation
/// are made from.
public struct QuantizationScheme: Hashable, Sendable {
  /// What choosing the row does.
  public enum Effect: Hashable, Sendable {
    /// Stores weights so; of these one may be chosen.
    case storage(QuantizationOptions.Storage)
    /// Integers of a width that the option's argument gives; it excludes the other storages.
    case width(ClosedRange<Int>)
    /// Places in palettes, of a width that the option's argument gives; it excludes the other storages.
    case palette(ClosedRange<Int>)
    /// So many neighbouring output channels have a palette together.
    case groupSize(ClosedRange<Int>)
    /// Integers count from each channel's least weight.
    case affine
    /// One scale for a whole tensor.
    case perTensor
    /// Integers stand as they are and not entropy-coded.
    case fastLoad
  }

  /// The name of the option, without dashes.
  public let name: String
  /// What choosing it does.
  public let effect: Effect
  /// One sentence for the help.
  public let summary: String
  /// How far a decoded weight ŵ may lie from the weight w; a property test holds the quantizer to it.
  public let bound: String

  /// Every scheme, then every modifier, in the order in which help lists them.
  public static let all: [QuantizationScheme] = [
    QuantizationScheme(
      name: "fp32", effect: .storage(.float32),
      summary: "32-bit floats.",
      bound: "ŵ = w"),
    QuantizationScheme(
      name: "fp16", effect: .storage(.float16),
      summary: "16-bit floats; a tensor that they cannot hold stays at 32 bits.",
      bound: "|w − ŵ| ≤ 2⁻⁸ of the channel's largest weight, 2⁻¹¹·|w| where w is a normal half"),
    QuantizationScheme(
      name: "int8", effect: .storage(.integers(bits: 8)),
      summary: "8-bit integers, −127…127, with one scale an output channel (default).",
      bound: "|w − ŵ| ≤ scale/2, scale = max|w|/127 of the channel"),
    QuantizationScheme(
      name: "bits", effect: .width(2...8),
      summary:
        "Integers of N bits, ±(2^(N−1)−1), otherwise like --int8; a .stylemodel holds them entropy-coded.",
      bound: "|w − ŵ| ≤ scale/2, scale = max|w|/(2^(N−1)−1) of the channel"),
    QuantizationScheme(
      name: "palette", effect: .palette(PaletteEncoding.widths),
      summary: "Places of N bits in a table of the 2^N numbers that fit a tensor best (k-means).",
      bound: "|w − ŵ| ≤ (max w − min w)/2 of what has the palette, and ŵ is the number of it nearest to w"),
    QuantizationScheme(
      name: "affine", effect: .affine,
      summary: "Unsigned integers that span each channel's least to greatest weight.",
      bound: "|w − ŵ| ≤ scale/2, scale = (max w − min w)/(2^N−1) of the channel"),
    QuantizationScheme(
      name: "per-tensor", effect: .perTensor,
      summary: "One scale a tensor in place of one a channel.",
      bound: "as without it, the channel being the whole tensor"),
    QuantizationScheme(
      name: "group-size", effect: .groupSize(1...4096),
      summary: "A palette for every N output channels, where N divides them, in place of one a tensor.",
      bound: "as without it"),
    QuantizationScheme(
      name: "fast-load", effect: .fastLoad,
      summary: "Leave entropy coding out of a .stylemodel: larger, and read a little faster.",
      bound: "as without it"),
  ]

  /// Whether the row changes a scheme of integers rather than being a scheme.
  public var isModifier: Bool {
    switch effect {
    case .storage, .width, .palette: false
    case .affine, .perTensor, .groupSize, .fastLoad: true
    }
  }

  /// The values that the option's argument may have, or nil if it has none.
  public var argument: ClosedRange<Int>? {
    switch effect {
    case .width(let range), .palette(let range), .groupSize(let range): range
    case .storage, .affine, .perTensor, .fastLoad: nil
    }
  }
}
