import CSchemas
import Diagnostics
import ModelGraph
import PictureTracing
import ProtobufSupport
import Tensors

/// How a network hands over the picture that goes in and the one that comes out.
struct NetworkInterface {
  /// The name of the picture's blob.
  let inputName: String
  /// What comes out.
  let output: CoreMLFeature
  /// What the pixels mean on both ends.
  let contract: PixelContract
  /// Whether the ends are pictures.
  let saysInput: Bool
  let saysOutput: Bool
  /// An input beside the picture, and the shape of its blob where that is known.
  let styleInput: (name: String, shape: [Int]?)?
  /// What the user should know.
  private(set) var notes: [String] = []

  private let axes: [InputAxis]
  private let usualSize: PictureSize
  /// Whether the output's channels are in another order than the input's.
  private let flipsChannels: Bool

  private enum InputAxis { case one, channel, row, column }

  /// - Throws: `.badInput` when what goes in is no picture of three channels, or nothing that comes out can be one.
  init(_ description: CoreMLDescription, _ network: Coreml__NeuralNetwork) throws(StyleModelError) {
    let images = description.inputs.filter { if case .image = $0.kind { true } else { false } }
    let arrays = description.inputs.filter { if case .array = $0.kind { true } else { false } }
    let isRankFive = network.array_input_shape_mapping == 0
    guard images.count <= 1, let picture = images.first ?? arrays.first(where: \.mayBePicture) else {
      throw StyleModelError(
        .badInput, "takes \(CoreMLDescription.phrase(description.inputs)); a style network takes one picture")
    }
    let others = description.inputs.filter { $0.name != picture.name && !$0.isOptional }
    guard others.count <= 1 else {
      throw StyleModelError(
        .badInput,
        "takes \(CoreMLDescription.phrase(others)) beside a picture; one input that chooses a style is understood"
      )
    }
    inputName = picture.name
    output = try description.pictureOutput()
    styleInput = try others.first.map { other throws(StyleModelError) in
      (other.name, try other.styleShape(isRankFive: isRankFive))
    }
    var contract = PixelPreset.raw255.contract
    var inputOrder: PixelContract.ChannelOrder?
    switch picture.kind {
    case .image(let image):
      guard let order = image.channelOrder else {
        throw StyleModelError(
          .badInput, place: "input '\(printable(picture.name, limit: 80))'",
          "is a grey picture; a style network takes one of three channels")
      }
      inputOrder = order
      contract.sizes = image.sizes
      usualSize = image.size
      axes =
        Array(repeating: .one, count: network.image_input_shape_mapping == 0 ? 2 : 1) + [
          .channel, .row, .column,
        ]
      try NetworkInterface.preprocess(
        list(network.preprocessing, network.n_preprocessing).map(\.pointee), picture.name, order, image,
        &contract, &notes)
      saysInput = true
    case .array(let array):
      let own = array.shape
      let place = own.count - 3
      let isLast = own[place] != 3
      let ones = isRankFive ? 2 : place
      axes =
        Array(repeating: .one, count: ones)
        + (isLast ? [.row, .column, .channel] : [.channel, .row, .column])
      usualSize = PictureSize(
        width: own[place + (isLast ? 1 : 2)], height: own[place + (isLast ? 0 : 1)])
      contract.sizes = array.pictureSizes(row: place + (isLast ? 0 : 1), column: place + (isLast ? 1 : 2))
      saysInput = false
    case .other: throw StyleModelError(.internalFault, "a picture is of another type")
    }
    var outputOrder: PixelContract.ChannelOrder?
    if case .image(let image) = output.kind {
      guard let order = image.channelOrder else {
        throw StyleModelError(
          .badInput, place: "output '\(printable(output.name, limit: 80))'",
          "is a grey picture; a style network gives one of three channels")
      }
      outputOrder = order
    }
    saysOutput = outputOrder != nil
    contract.channelOrder = inputOrder ?? outputOrder ?? .rgb
    flipsChannels = outputOrder.map { $0 != contract.channelOrder } ?? false
    self.contract = contract
  }

  /// What is done to the pixels before the network.
  private static func preprocess(
    _ steps: [Coreml__Preprocessing], _ name: String, _ order: PixelContract.ChannelOrder,
    _ image: CoreMLFeature.Image, _ contract: inout PixelContract, _ notes: inout [String]
  ) throws(StyleModelError) {
    for step in steps where [name, ""].contains(string(step.feature_name)) {
      switch step.preprocessor_case {
      case COREML__PREPROCESSING__PREPROCESSOR_SCALER:
        let scaler = step.scaler.pointee
        if scaler.channel_scale == 0 {
          notes.append("its preprocessing scales pixels by nothing, which is read as by 1")
        }
        let scale = scaler.channel_scale == 0 ? 1 : scaler.channel_scale
        let rgb = [scaler.red_bias, scaler.green_bias, scaler.blue_bias]
        let biases = order == .rgb ? rgb : rgb.reversed()
        contract.inputScale = contract.inputScale.map { $0 * scale }
        contract.inputBias = zip(contract.inputBias, biases).map { $0 * scale + $1 }
      case COREML__PREPROCESSING__PREPROCESSOR_MEAN_IMAGE:
        let mean = numbers(step.mean_image.pointee.mean_image, step.mean_image.pointee.n_mean_image)
        let plane = image.size.width * image.size.height
        guard mean.count == 3 * plane else {
          throw StyleModelError(
            .badInput, place: "preprocessing",
            "has a mean image of \(grouped(mean.count)) numbers for \(image.size)")
        }
        let planes = (0..<3).map { mean[$0 * plane..<($0 + 1) * plane] }
        guard planes.allSatisfy({ plane in plane.allSatisfy { $0 == plane.first } }) else {
          throw StyleModelError(
            .badInput, place: "preprocessing",
            "subtracts a mean image that is not of one colour, which is not understood")
        }
        contract.inputBias = zip(contract.inputBias, planes).map { $0 - ($1.first ?? 0) }
      default: throw StyleModelError(.badInput, place: "preprocessing", "does something that is not known")
      }
    }
    guard (contract.inputScale + contract.inputBias).allSatisfy(\.isFinite) else {
      throw StyleModelError(.badInput, place: "preprocessing", "has numbers that are not finite")
    }
  }

  /// The sizes that shapes are followed at: the usual one, and two others where the file allows them.
  var probeSizes: [PictureSize] {
    switch contract.sizes {
    case .any: return Probes.sizes(height: nil, width: nil)
    case .listed(let sizes): return [usualSize] + sizes.filter { $0 != usualSize }.prefix(2)
    case .range(let width, let height):
      let others = [(131, 97), (320, 192)].map {
        PictureSize(width: width.nearest($0.0), height: height.nearest($0.1))
      }
      let usual = PictureSize(width: width.nearest(usualSize.width), height: height.nearest(usualSize.height))
      return [usual] + others.filter { $0 != usual }
    }
  }

  /// How the picture's blob shows it.
  func shownInput(_ value: ValueID, _ conversion: LayerConversion) throws(StyleModelError) -> PictureValue {
    var arrangements: [Arrangement] = []
    for probe in 0..<conversion.probes.count {
      let extents = try conversion.probes.extents(value, probe)
      arrangements.append(
        Arrangement(
          axes: axes.map {
            switch $0 {
            case .one: []
            case .channel: [extents.channel]
            case .row: [extents.row]
            case .column: [extents.column]
            }
          }))
    }
    return PictureValue(term: .value(value), arrangements: arrangements)
  }

  /// The value that comes out, in the order of channels that goes in.
  func result(_ conversion: inout LayerConversion) throws(StyleModelError) -> ValueID {
    do throws(StyleModelError) {
      guard case .picture(let picture)? = conversion.values[output.name] else {
        throw StyleModelError(.badInput, "is not computed from the picture")
      }
      let value = try conversion.computed(picture.term)
      guard try conversion.probes.channels(value) == 3 else {
        throw StyleModelError(
          .badInput, "has \(counted(try conversion.probes.channels(value), "channel")); a picture has 3")
      }
      for probe in conversion.probes.alive {
        let extents = try conversion.probes.extents(value, probe)
        let shown = picture.arrangements[probe]
        // [H, W, C] is what TensorFlow's converters leave of arrays.
        let first = [[extents.channel], [extents.row], [extents.column]]
        let last = [[extents.row], [extents.column], [extents.channel]]
        let axes = Array(shown.axes.suffix(3))
        guard axes == Arrangement(axes: first).axes || !saysOutput && axes == Arrangement(axes: last).axes,
          shown.axes.dropLast(3).allSatisfy(\.isEmpty)
        else { throw StyleModelError(.badInput, "has shape \(shown.shape), which is no picture") }
      }
      guard flipsChannels else { return value }
      let flip = conversion.probes.constant(
        "channels_reversed", StoredTensor(shape: [3, 3, 1, 1], floats: [0, 0, 1, 0, 1, 0, 1, 0, 0]))
      return try conversion.probes.emit(.convolution(Convolution(input: value, weight: flip)))
    } catch {
      throw StyleModelError(
        error.kind, place: "output '\(printable(output.name, limit: 80))'", error.problem,
        remedy: error.remedy)
    }
  }

  /// Refuses an encoder, and whatever else ends with other than three channels, before its layers are looked at.
  func requirePictureChannels(_ layers: [Coreml__Layer]) throws(StyleModelError) {
    var name = output.name
    for layer in layers.reversed() {
      guard list(layer.output, layer.n_output).contains(where: { String(cString: $0) == name }) else {
        continue
      }
      switch layer.layer_case {
      case COREML__LAYER__LAYER_CONVOLUTION:
        let channels = layer.convolution.pointee.output_channels
        guard channels != 3 else { return }
        throw StyleModelError(
          .badInput, place: "output '\(printable(output.name, limit: 80))'",
          "has \(channels) channels; a picture has 3",
          remedy: "half of a network, such as an encoder, cannot be run by itself")
      case COREML__LAYER__LAYER_ACTIVATION, COREML__LAYER__LAYER_BATCHNORM, COREML__LAYER__LAYER_PADDING,
        COREML__LAYER__LAYER_CROP, COREML__LAYER__LAYER_UPSAMPLE, COREML__LAYER__LAYER_POOLING,
        COREML__LAYER__LAYER_SCALE, COREML__LAYER__LAYER_RESIZE_BILINEAR:
        guard let input = list(layer.input, layer.n_input).first else { return }
        name = String(cString: input)
      default: return
      }
    }
  }
}

extension CoreMLFeature {
  /// Whether an array may hold a picture of three channels.
  fileprivate var mayBePicture: Bool {
    guard case .array(let array) = kind, (3...5).contains(array.shape.count) else { return false }
    let picture = array.shape.suffix(3)
    let sides = picture.first == 3 ? picture.dropFirst() : picture.dropLast()
    return (picture.first == 3 || picture.last == 3) && sides.allSatisfy { (1...1 << 16).contains($0) }
      && array.shape.dropLast(3).allSatisfy { $0 == 1 }
  }

  /// The shape of the blob that an input beside the picture becomes; nil where it is as long as its layers want.
  fileprivate func styleShape(isRankFive: Bool) throws(StyleModelError) -> [Int]? {
    guard case .array(let array) = kind else {
      throw StyleModelError(
        .badInput,
        "takes '\(printable(name, limit: 60))' (\(description)) beside a picture, which is not understood")
    }
    let shape = array.shape
    guard isRankFive else { return shape.isEmpty ? nil : shape }
    switch shape.count {
    case 1: return shape == [1] ? nil : [1, 1, shape[0], 1, 1]
    // A sequence of such arrays may be given.
    case 3: return shape == [1, 1, 1] ? nil : [1, 1] + shape
    default: return nil
    }
  }
}

extension CoreMLFeature.Array {
  /// The sizes of pictures that arrays of these shapes hold.
  fileprivate func pictureSizes(row: Int, column: Int) -> PixelContract.Sizes {
    if ranges.count == shape.count { return .range(width: ranges[column], height: ranges[row]) }
    let all = listed.isEmpty ? [shape] : listed.filter { $0.count == shape.count }
    return .listed(all.map { PictureSize(width: $0[column], height: $0[row]) })
  }
}

extension ClosedSizeRange {
  /// The nearest extent that is allowed.
  fileprivate func nearest(_ extent: Int) -> Int { min(max(extent, lower), upper ?? .max) }
}
