/// What a search found, and how it came to it.
public struct SearchResult: Sendable {
  /// A picture and how near the stored network's output is to the float one's.
  public struct PictureOutcome: Hashable, Sendable {
    /// The picture's name.
    public var name: String
    /// The PSNR in dB; infinite where the outputs are the same.
    public var psnr: Double
  }

  /// What one layer's weights got.
  public struct Layer: Hashable, Sendable {
    /// The layer's name: its weights' without the last part.
    public var name: String
    /// How many there are.
    public var count: Int
    /// How they are stored: `int7 per channel (axis 0)`, or `float16` where integers would not be shorter.
    public var storage: String
    /// What they take in the file, in bytes.
    public var byteCount: Int
    /// By how many levels of 255 the pictures would change, in the root mean square, if every weight were off by a hundredth
    /// of the layer's root mean square.
    public var sensitivity: Double
    /// Whether the weights are integers of the search's own; otherwise they stayed floats.
    public var isRounded: Bool
    /// The root mean square of the weights over that of the steps: how fine they are.
    public var stepsPerWeight: Double
    /// The mean squared change of the pictures that is expected of this layer, in squared levels of 255.
    public var expectedLoss: Double

    /// What a weight takes in the file, in bits.
    public var bitsPerWeight: Double { 8 * Double(byteCount) / Double(max(count, 1)) }
  }

  /// What was looked for.
  public var goal: SearchGoal
  /// How many ways to store the weights were tried.
  public var trialCount: Int
  /// The calibration pictures that counted.
  public var calibration: [PictureOutcome]
  /// The pictures of the built-in evaluation set, none of which the search has seen.
  public var unseen: [PictureOutcome]
  /// The layers, in the order in which the network uses them.
  public var layers: [Layer]

  /// The calibration picture that suffers most.
  public var worst: PictureOutcome? { calibration.min { $0.psnr < $1.psnr } }
  /// The picture that the search has not seen and that suffers most.
  public var worstUnseen: PictureOutcome? { unseen.min { $0.psnr < $1.psnr } }
}
