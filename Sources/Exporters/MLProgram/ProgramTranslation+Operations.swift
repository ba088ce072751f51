import Diagnostics
import MLProgramImporter
import ModelGraph
import Tensors

extension ProgramTranslation {
  typealias Arguments = [(role: String, value: ProgramDraft.Argument)]

  /// Adds what a node computes.
  mutating func translate(_ node: Graph.Node) throws(StyleModelError) {
    switch node.operation {
    case .convolution(let it): try translate(it, node)
    case .transposedConvolution(let it): try translate(it, node)
    case .pad(let it):
      finish(node, "pad", padding(try flowing(it.input), it.amounts, it.mode))
    case .crop(let it): try translate(it, node)
    case .instanceNorm(let it):
      var arguments: Arguments = []
      if let beta = it.beta { arguments.append(("beta", try weight(beta))) }
      arguments.append(("epsilon", .value(.number(it.epsilon))))
      if let gamma = it.gamma { arguments.append(("gamma", try weight(gamma))) }
      finish(node, "instance_norm", arguments + [("x", try flowing(it.input))])
    case .conditionalInstanceNorm: try graph.requireOneStyle()
    case .batchNorm(let it):
      var arguments: Arguments = []
      if let beta = it.beta { arguments.append(("beta", try weight(beta))) }
      arguments.append(("epsilon", .value(.number(it.epsilon))))
      if let gamma = it.gamma { arguments.append(("gamma", try weight(gamma))) }
      arguments.append(("mean", try weight(it.mean)))
      arguments.append(("variance", try weight(it.variance)))
      finish(node, "batch_norm", arguments + [("x", try flowing(it.input))])
    case .binary(let it):
      finish(
        node, it.function.rawValue, [("x", try flowing(it.left)), ("y", try flowing(it.right))])
    case .resize(let it):
      let modes: [Resize.Placement: String] = [
        .start: "DEFAULT", .corners: "STRICT_ALIGN_CORNERS", .centers: "UNALIGN_CORNERS",
      ]
      finish(
        node, "resize_bilinear",
        [
          ("sampling_mode", .value(.text(modes[it.placement] ?? "DEFAULT"))),
          ("target_size_height", .value(.number(it.size.vertical))),
          ("target_size_width", .value(.number(it.size.horizontal))), ("x", try flowing(it.input)),
        ])
    case .upsample(let it):
      var arguments: Arguments = [
        ("scale_factor_height", .value(.number(Float(it.factor.vertical)))),
        ("scale_factor_width", .value(.number(Float(it.factor.horizontal)))),
        ("x", try flowing(it.input)),
      ]
      if it.mode == .bilinear { arguments.insert(("align_corners", .value(.truth(false))), at: 0) }
      finish(
        node, it.mode == .bilinear ? "upsample_bilinear" : "upsample_nearest_neighbor", arguments)
    case .activation(let it): try translate(it, node)
    }
  }

  private mutating func translate(_ activation: Activation, _ node: Graph.Node) throws(StyleModelError) {
    let input: (String, ProgramDraft.Argument) = ("x", try flowing(activation.input))
    switch activation.function {
    case .relu: finish(node, "relu", [input])
    case .leakyReLU(let slope): finish(node, "leaky_relu", [("alpha", .value(.number(slope))), input])
    case .clamp(let lower, let upper):
      finish(node, "clip", [("alpha", .value(.number(lower))), ("beta", .value(.number(upper))), input])
    case .sigmoid: finish(node, "sigmoid", [input])
    case .tanh: finish(node, "tanh", [input])
    case .linear(let scale, let bias):
      finish(
        node, "linear_activation",
        [("alpha", .value(.number(scale))), ("beta", .value(.number(bias))), input])
    }
  }

  /// The arguments of a padding of height and width.
  private func padding(
    _ input: ProgramDraft.Argument, _ amounts: Insets, _ mode: PaddingMode
  ) -> Arguments {
    let name =
      switch mode {
      case .zero: "constant"
      case .reflect: "reflect"
      case .replicate: "replicate"
      }
    return [
      ("constant_val", .value(.number(Float(0)))), ("mode", .value(.text(name))),
      (
        "pad",
        .value(.list([0, 0, 0, 0, amounts.top, amounts.bottom, amounts.left, amounts.right]))
      ),
      ("x", input),
    ]
  }

  // MARK: Convolutions

  private mutating func translate(_ conv: Convolution, _ node: Graph.Node) throws(StyleModelError) {
    var input = try flowing(conv.input)
    let picture = try shape(conv.input)
    let kernel = try shape(conv.weight)
    // Where the size is fixed, so is the padding that depends on it.
    let dependsOnSize = conv.same != nil && interface.fixedSize == nil
    var insets = dependsOnSize ? Insets.zero : conv.insets(picture: picture, kernel: kernel)
    if dependsOnSize, conv.stride == .one { insets = conv.insets(picture: picture, kernel: kernel) }
    var rule = insets == .zero ? "valid" : "custom"
    if dependsOnSize, conv.stride != .one {
      guard conv.paddingMode == .zero else {
        throw StyleModelError(.badInput, "pads by the picture's size, but not with zeros")
      }
      rule = conv.same == .upper ? "same" : "same_lower"
      guard rule == "same" || draft.operatorSet > .iOS15 else {
        throw StyleModelError(
          .badInput, "pads more at the top and the left, which programs of iOS 15 cannot say",
          remedy: "store weights as --fp16 or --int8, which takes iOS 16")
      }
    }
    if conv.paddingMode != .zero, insets != .zero {
      input = step(
        node, "pad", padding(input, insets, conv.paddingMode), channels: picture[1],
        height: picture[2] + insets.vertical, width: picture[3] + insets.horizontal)
      insets = .zero
      rule = "valid"
    }
    var arguments: Arguments = []
    if let bias = conv.bias { arguments.append(("bias", try weight(bias))) }
    arguments += window(conv.stride, conv.dilation, conv.groups, insets, rule)
    arguments.append(("weight", try weight(conv.weight)))
    finish(node, "conv", arguments + [("x", input)])
  }

  private func window(
    _ stride: Pair, _ dilation: Pair, _ groups: Int, _ pad: Insets, _ rule: String
  ) -> Arguments {
    [
      ("dilations", .value(.list([dilation.vertical, dilation.horizontal]))),
      ("groups", .value(.number(groups))),
      ("pad", .value(.list([pad.top, pad.bottom, pad.left, pad.right]))),
      ("pad_type", .value(.text(rule))),
      ("strides", .value(.list([stride.vertical, stride.horizontal]))),
    ]
  }

  /// The format crops what it calls padding, and cannot add rows. Rows within the kernels' reach are cropped less; rows
  /// beyond it hold only the bias, so they are zeros until that is added.
  private mutating func translate(_ conv: TransposedConvolution, _ node: Graph.Node) throws(StyleModelError) {
    var crop = conv.padding
    crop.bottom -= conv.outputPadding.vertical
    crop.right -= conv.outputPadding.horizontal
    let beyond = Insets(top: 0, left: 0, bottom: max(0, -crop.bottom), right: max(0, -crop.right))
    crop.bottom = max(0, crop.bottom)
    crop.right = max(0, crop.right)
    let bias = conv.bias
    var arguments: Arguments = []
    if let bias, beyond == .zero { arguments.append(("bias", try weight(bias))) }
    arguments += window(conv.stride, conv.dilation, conv.groups, crop, crop == .zero ? "valid" : "custom")
    arguments.append(("weight", try weight(conv.weight)))
    arguments.append(("x", try flowing(conv.input)))
    guard beyond != .zero else { return finish(node, "conv_transpose", arguments) }
    let result = try shape(node.result)
    let natural = step(
      node, "conv_transpose", arguments, channels: result[1], height: result[2] - beyond.bottom,
      width: result[3] - beyond.right)
    guard let bias, let numbers = graph.tensor(bias)?.floats() else {
      return finish(node, "pad", padding(natural, beyond, .zero))
    }
    let padded = step(
      node, "pad", padding(natural, beyond, .zero), channels: result[1], height: result[2], width: result[3])
    let summand = draft.numbers(numbers, shape: [1, numbers.count, 1, 1])
    finish(node, "add", [("x", padded), ("y", .value(summand))])
  }

  private mutating func translate(_ crop: Crop, _ node: Graph.Node) throws(StyleModelError) {
    let amounts = crop.amounts
    finish(
      node, "slice_by_index",
      [
        ("begin", .value(.list([0, 0, amounts.top, amounts.left]))),
        ("begin_mask", .value(.truths([true, true, false, false]))),
        ("end", .value(.list([0, 0, -amounts.bottom, -amounts.right]))),
        // An end of 0 would be the beginning.
        ("end_mask", .value(.truths([true, true, amounts.bottom == 0, amounts.right == 0]))),
        ("x", try flowing(crop.input)),
      ])
  }
}
