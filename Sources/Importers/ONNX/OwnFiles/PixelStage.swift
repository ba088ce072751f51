public import ModelGraph

/// A step between pixels of 0…255 in RGB and the numbers of a network, as a node of a file of our own.
public enum PixelStage: Hashable, Sendable {
  /// Red and blue change places.
  case reversedChannels
  /// A factor a channel.
  case scaled([Float])
  /// A summand a channel.
  case shifted([Float])
}

extension PixelContract {
  /// What makes a picture the network's input, in this order.
  public var stagesBefore: [PixelStage] {
    (channelOrder == .bgr ? [.reversedChannels] : []) + stages(inputScale, inputBias)
  }

  /// What makes the network's output a picture, in this order.
  public var stagesAfter: [PixelStage] {
    stages(outputScale, outputBias) + (channelOrder == .bgr ? [.reversedChannels] : [])
  }

  private func stages(_ scale: [Float], _ bias: [Float]) -> [PixelStage] {
    (scale == [1, 1, 1] ? [] : [.scaled(scale)]) + (bias == [0, 0, 0] ? [] : [.shifted(bias)])
  }
}
