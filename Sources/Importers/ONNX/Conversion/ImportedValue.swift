import ModelGraph
import Tensors

/// What a name of the file stands for while the graph is built.
enum ImportedValue {
  /// Numbers that flow.
  case picture(PictureValue)
  /// One number a channel, computed from a picture.
  case statistic(StatisticValue)
  /// A tensor of the file.
  case weight(ONNXTensor)
  /// Numbers that are known: one set a probed size, or one for all.
  case numbers([Numbers])
  /// A picture between `QuantizeLinear` and `DequantizeLinear`.
  case quantized(PictureValue)
}

/// Numbers that flow, and how the file's shape shows them.
struct PictureValue {
  var term: DecomposedNorm.Picture
  /// One a probed size.
  var arrangements: [Arrangement]
}

/// Statistics of a picture, in the shape that the file gives them: ones, and the channels along one axis.
struct StatisticValue {
  var term: DecomposedNorm.Statistic
  var shape: [Int]
  var channels: Int
}
