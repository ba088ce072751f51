import ModelGraph
import PictureTracing
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

  init(_ value: TracedValue) {
    switch value {
    case .picture(let picture): self = .picture(picture)
    case .statistic(let statistic): self = .statistic(statistic)
    case .numbers(let numbers): self = .numbers([numbers])
    }
  }
}
