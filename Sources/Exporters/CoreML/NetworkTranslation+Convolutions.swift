import Diagnostics
import ModelGraph
import ProtobufSupport
import Tensors

extension NetworkTranslation {
  /// A convolution; padding that is not of zeros is a layer before it.
  mutating func add(_ name: String, _ convolution: Convolution) throws(StyleModelError) -> String {
    let kernel = try tensor(convolution.weight)
    var input = try blob(convolution.input)
    var insets = convolution.padding
    var same = convolution.same
    if convolution.paddingMode != .zero {
      if same != nil { insets = try fixedInsets(convolution, kernel.shape) }
      same = nil
      if insets != .zero { input = addPadding(name + "_pad", input, insets, convolution.paddingMode) }
      insets = .zero
    }
    return try add(
      name, input, kernel, convolution.bias, channelAxis: 0,
      channels: (kernel.shape[0], kernel.shape[1]), groups: convolution.groups
    ) { writer in
      writer.numbers(30, [convolution.stride.vertical, convolution.stride.horizontal])
      writer.numbers(40, [convolution.dilation.vertical, convolution.dilation.horizontal])
      if let same {
        writer.message(51) { if same == .lower { $0.number(1, 1) } }
      } else {
        writer.message(50) { valid in
          if insets != .zero { valid.message(1) { $0.borders(insets) } }
        }
      }
    }
  }

  /// A transposed convolution. Rows and columns that nothing reaches, beyond the natural size, hold the bias alone:
  /// they are padded on, and the bias is added after that.
  mutating func add(_ name: String, _ convolution: TransposedConvolution) throws(StyleModelError) -> String {
    guard convolution.dilation == .one else {
      throw StyleModelError(
        .badInput, "is a transposed convolution with dilation, which Core ML's neural networks do not have",
        remedy: "write an .onnx or a .stylemodel")
    }
    let kernel = try tensor(convolution.weight)
    var cropped = convolution.padding
    cropped.bottom -= convolution.outputPadding.vertical
    cropped.right -= convolution.outputPadding.horizontal
    let beyond = Insets(top: 0, left: 0, bottom: max(0, -cropped.bottom), right: max(0, -cropped.right))
    cropped.bottom = max(0, cropped.bottom)
    cropped.right = max(0, cropped.right)
    // Groups share scales here and not there.
    let axis = convolution.groups == 1 ? 1 : nil
    let result = try add(
      beyond == .zero ? name : name + "_natural", try blob(convolution.input), kernel,
      beyond == .zero ? convolution.bias : nil, channelAxis: axis,
      channels: (kernel.shape[1] * convolution.groups, kernel.shape[0]), groups: convolution.groups
    ) { writer in
      writer.numbers(30, [convolution.stride.vertical, convolution.stride.horizontal])
      writer.message(50) { valid in
        if cropped != .zero { valid.message(1) { $0.borders(cropped) } }
      }
      writer.number(60, 1)
    }
    guard beyond != .zero else { return result }
    let padded = addPadding(name + "_beyond", result, beyond, .zero)
    guard let bias = convolution.bias else { return padded }
    let weights = WeightParameters(try tensor(bias), channelAxis: nil)
    draft.require(weights.version)
    return draft.add(name, Kind.bias, [padded]) { writer in
      writer.numbers(1, [kernel.shape[1] * convolution.groups])
      writer.message(2, weights.write)
    }
  }

  private mutating func add(
    _ name: String, _ input: String, _ kernel: StoredTensor, _ bias: ValueID?, channelAxis: Int?,
    channels: (output: Int, kernel: Int), groups: Int, geometry: (inout ProtobufWriter) -> Void
  ) throws(StyleModelError) -> String {
    var weights = WeightParameters(kernel, channelAxis: channelAxis)
    var summands: WeightParameters?
    if let bias {
      let tensor = try tensor(bias)
      var written = WeightParameters(tensor, channelAxis: nil)
      // Floats and halves may not stand in one layer; integers may stand beside either.
      if case .plain = kernel.encoding, weights.isHalves != written.isHalves {
        if weights.isHalves { weights = WeightParameters(floats: kernel.floats()) }
        written = WeightParameters(floats: tensor.floats())
      }
      draft.require(written.version)
      summands = written
    }
    draft.require(weights.version)
    return draft.add(name, Kind.convolution, [input]) { writer in
      writer.number(1, channels.output)
      writer.number(2, channels.kernel)
      writer.number(10, groups)
      writer.numbers(20, [kernel.shape[2], kernel.shape[3]])
      geometry(&writer)
      if summands != nil { writer.number(70, 1) }
      writer.message(90, weights.write)
      if let summands { writer.message(91, summands.write) }
    }
  }

  /// Padding by the picture's size where that is the same for every size: at stride 1, or where there is one size.
  private func fixedInsets(_ convolution: Convolution, _ kernel: Shape) throws(StyleModelError) -> Insets {
    guard convolution.stride == .one || pictures.fixedSize != nil,
      let picture = try graph.shapes(for: pictures.fixedSize ?? graph.sampleSize)[convolution.input]
    else {
      throw StyleModelError(
        .badInput,
        "pads by the picture's size with pixels that are not zeros, which a layer for every size cannot",
        remedy: "give one size with --size WxH")
    }
    return convolution.insets(picture: picture, kernel: kernel)
  }
}
