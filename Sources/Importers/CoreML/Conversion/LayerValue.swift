import ModelGraph
import PictureTracing

/// What a blob of the file stands for while the graph is built.
enum LayerValue {
  /// Numbers that flow.
  case picture(PictureValue)
  /// One number a channel, computed from a picture.
  case statistic(StatisticValue)
  /// Sums over each channel's pixels, kept as the means that they are multiples of.
  case pixelSum(mean: StatisticValue, pixels: [Int])
  /// Numbers that are known: one set a probed size, or one for all.
  case numbers([Numbers])
  /// Numbers that depend on the style: for no style at all, then for each style alone. What is done to them is affine, so
  /// that these tell what they are for every mixture.
  case styled([Numbers])
  /// The input that chooses a style, as long as its length is not known.
  case styleInput
  /// Some channels of a picture, perhaps scaled each by its own number: what `split` makes, on the way to `stack`.
  case part(PicturePart)
}

/// Some neighbouring channels of a picture.
struct PicturePart {
  let picture: PictureValue
  let channels: Range<Int>
  /// What the channels are multiplied with, and what is added then.
  var factors: [Float]
  var summands: [Float]
}
