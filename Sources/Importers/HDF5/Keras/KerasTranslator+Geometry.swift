import Diagnostics
import ModelGraph
import Tensors

extension KerasTranslator {
  /// What stands in the place of a layer that moves pixels, or nil for other classes.
  mutating func geometry(_ layer: KerasLayer, _ input: ValueID) throws(StyleModelError) -> ValueID? {
    switch layer.className {
    case "InputLayer": return try checkedInput(layer, input)
    case "ZeroPadding2D": return try padded(layer, input, .zero)
    // Custom layers, as they are called wherever networks with mirrored edges are trained.
    case "ReflectionPadding2D", "ReflectPadding2D", "ReflectionPadding", "ReflectionPad2D", "ReflectPad2D",
      "ReflectPad",
      "MirrorPadding2D":
      return try padded(layer, input, .reflect)
    case "Cropping2D":
      let sides = try layer.sides("cropping")
      return try append(.crop(Crop(input: input, amounts: Insets(sides))))
    case "UpSampling2D":
      let factor = try layer.pair("size", default: (2, 2))
      guard min(factor.0, factor.1) > 0 else { throw layer.refusal("size", "numbers above zero are read") }
      return try append(
        .upsample(Upsample(input: input, factor: Pair(factor.0, factor.1), mode: try interpolation(layer))))
    default: return nil
    }
  }

  /// The size that an input layer states is the one of training, and does not bind.
  private mutating func checkedInput(_ layer: KerasLayer, _ input: ValueID) throws(StyleModelError) -> ValueID
  {
    let argument = layer.config["batch_shape"] == nil ? "batch_input_shape" : "batch_shape"
    guard let shape = layer.config[argument]?.items else { return input }
    let extents = shape.map { $0.integer ?? 0 }
    if extents.count == 4, extents[1] == 3, extents[3] != 3 { channelsFirst = true }
    guard extents.count == 4, extents[channelsFirst ? 1 : 3] == channels(input) else {
      throw layer.refusal(argument, "pictures of \(channels(input)) channels are read")
    }
    return input
  }

  private mutating func padded(
    _ layer: KerasLayer, _ input: ValueID, _ mode: PaddingMode
  ) throws(StyleModelError) -> ValueID {
    try append(.pad(Pad(input: input, amounts: Insets(try layer.sides("padding")), mode: mode)))
  }

  private func interpolation(_ layer: KerasLayer) throws(StyleModelError) -> Upsample.Mode {
    switch try layer.word("interpolation", default: "nearest") {
    case "nearest": return .nearest
    case "bilinear":
      // Keras before TensorFlow 2 sampled at other places.
      if let version = weights.version, isFromTensorFlow2(version) { return .bilinear }
      throw layer.refusal("interpolation", "\"bilinear\" of Keras before TensorFlow 2 is not read")
    default: throw layer.refusal("interpolation", "\"nearest\" and \"bilinear\" are read")
    }
  }
}

/// Whether a release of Keras is one that came with TensorFlow 2 or after: `2.4.0`, `2.2.4-tf`, `3.0.0`.
func isFromTensorFlow2(_ version: String) -> Bool {
  let numbers = version.split(separator: ".").prefix(2).compactMap { Int($0) }
  guard numbers.count == 2 else { return false }
  return numbers[0] > 2 || numbers[0] == 2 && numbers[1] >= 4 || version.hasSuffix("-tf")
}

extension Insets {
  init(_ sides: (top: Int, bottom: Int, left: Int, right: Int)) {
    self.init(top: sides.top, left: sides.left, bottom: sides.bottom, right: sides.right)
  }
}
