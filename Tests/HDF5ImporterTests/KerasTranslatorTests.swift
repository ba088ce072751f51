import Diagnostics
import ModelGraph
import Tensors
import Testing

@testable import HDF5Importer

/// Single layers, written as JSON: what they become, and what is refused by layer, class and argument.
@Suite struct KerasTranslatorTests {
  /// The weights that the layers below find.
  private static func weights(backend: String? = nil, version: String? = "2.4.0") throws -> KerasWeights {
    var weights = try #require(
      try KerasWeights(
        try HDF5File([
          .init(path: "/", content: .group, attributes: [("layer_names", .strings(["c"]))]),
          .init(
            path: "/c", content: .group, attributes: [("weight_names", .strings(["c/kernel:0", "c/bias:0"]))]),
          .init(
            path: "/c/c/kernel:0",
            content: .dataset(StoredTensor(shape: [3, 3, 3, 3], floats: (0..<81).map { Float($0) }))),
          .init(path: "/c/c/bias:0", content: .dataset(StoredTensor(shape: [3], floats: [1, 2, 3]))),
        ])))
    weights.backend = backend
    weights.version = version
    return weights
  }

  private static func network(
    _ className: String, _ settings: String, backend: String? = nil, version: String? = "2.4.0"
  ) throws(StyleModelError) -> KerasNetwork {
    let text =
      #"{"class_name": "Sequential", "config": {"name": "s", "layers": [{"class_name": "\#(className)", "config": "#
      + #"{"name": "c"\#(settings.isEmpty ? "" : ", ")\#(settings)}}]}}"#
    let config = try KerasConfig(try JSONValue(parsing: Array(text.utf8)[...]))
    do {
      return try KerasTranslator.network(config, try weights(backend: backend, version: version))
    } catch let error as StyleModelError { throw error } catch {
      throw StyleModelError(.internalFault, "\(error)")
    }
  }

  /// Layers and the operations that stand for them.
  private static let translations: [(className: String, settings: String, operations: String)] = [
    ("Conv2D", #""padding": "same""#, "conv padding: [1, 1, 1, 1]"),
    ("Conv2D", #""padding": "same", "strides": [2, 2]"#, "conv stride: [2, 2] same: upper"),
    (
      "Conv2D", #""padding": "same", "strides": 2, "activation": "tanh""#,
      "conv stride: [2, 2] same: upper, tanh"
    ),
    ("Conv2D", #""dilation_rate": [2, 1], "padding": "same""#, "conv padding: [2, 1, 2, 1] dilation: [2, 1]"),
    (
      "Conv2DTranspose", #""strides": [2, 2], "padding": "same""#,
      "conv_transpose stride: [2, 2] padding: [0, 0, 1, 1]"
    ),
    (
      "Conv2DTranspose", #""strides": [4, 4], "padding": "same""#,
      "conv_transpose stride: [4, 4] output_padding: [1, 1]"
    ),
    ("Conv2DTranspose", #""strides": [2, 2]"#, "conv_transpose stride: [2, 2]"),
    ("ZeroPadding2D", #""padding": 2"#, "pad amounts: [2, 2, 2, 2] mode: zero"),
    ("ZeroPadding2D", #""padding": [1, 2]"#, "pad amounts: [1, 2, 1, 2] mode: zero"),
    ("ReflectionPadding2D", #""padding": [[1, 2], [3, 4]]"#, "pad amounts: [1, 3, 2, 4] mode: reflect"),
    ("UpSampling2D", #""size": [3, 2]"#, "upsample factor: [3, 2] mode: nearest"),
    ("UpSampling2D", #""interpolation": "bilinear""#, "upsample factor: [2, 2] mode: bilinear"),
    ("ReLU", #""max_value": 6.0"#, "clamp lower: 0.0 upper: 6.0"),
    ("LeakyReLU", #""alpha": 0.25"#, "leaky_relu slope: 0.25"),
    ("LeakyReLU", #""alpha": {"class_name": "__numpy__", "value": 0.25}"#, "leaky_relu slope: 0.25"),
    (
      "Activation", #""activation": {"class_name": "function", "config": "relu6"}"#,
      "clamp lower: 0.0 upper: 6.0"
    ),
    ("Rescaling", #""scale": 2.0, "offset": 1"#, "linear scale: 2.0 bias: 1.0"),
    ("Denormalize", "", "linear scale: 127.5 bias: 127.5"),
    ("Dropout", #""rate": 0.5"#, ""),
  ]

  @Test(arguments: translations)
  func translates(className: String, settings: String, operations: String) throws {
    let network = try Self.network(className, settings)
    let text = network.graph.nodes.map { node in
      let call = node.operation.call
      let attributes = call.attributes.map { attribute in
        switch attribute.value {
        case .integers(let values): "\(attribute.name): \(values)"
        case .number(let value): "\(attribute.name): \(value)"
        case .word(let word): "\(attribute.name): \(word)"
        }
      }
      return ([call.mnemonic] + attributes).joined(separator: " ")
    }
    #expect(text.joined(separator: ", ") == operations)
  }

  /// What is not understood, and the message.
  private static let refusals: [(className: String, settings: String, message: String)] = [
    (
      "Lambda", #""function": ["4wEAAAA=", null, null]"#,
      "layer 'c' (Lambda): is Python code, which is never run; put a layer of Keras in its place "
        + "(Rescaling, Activation, Add) and save the network again"
    ),
    (
      "Conv2D", #""padding": "causal""#,
      #"layer 'c' (Conv2D): has padding = "causal"; "valid" and "same" are read"#
    ),
    (
      "Conv2D", #""activation": "scaled_tanh""#,
      #"layer 'c' (Conv2D): has activation = "scaled_tanh"; linear, relu, relu6, leaky_relu, sigmoid and tanh are read"#
    ),
    (
      "Conv2D", #""strides": [0, 1]"#,
      "layer 'c' (Conv2D): has strides = [0,1]; numbers above zero are read"
    ),
    (
      "Conv2D", #""use_bias": false"#,
      "layer 'c' (Conv2D): has the weights c/kernel:0, c/bias:0 in the file where kernel should be"
    ),
    (
      "Conv2DTranspose", #""output_padding": [1, 1]"#,
      "layer 'c' (Conv2DTranspose): has output_padding = [1,1]; nothing else than null is read"
    ),
    (
      "InstanceNormalization", #""axis": 1"#,
      "layer 'c' (InstanceNormalization): has axis = 1; the channels are along -1, and only that is read"
    ),
    (
      "GroupNormalization", #""groups": 2"#,
      "layer 'c' (GroupNormalization): has groups = 2; one channel a group is read, which is an instance norm"
    ),
    (
      "ReflectionPadding2D", "",
      "layer 'c' (ReflectionPadding2D): has padding = nothing; one, two or two pairs of whole numbers up to 4096 are read"
    ),
    (
      "InputLayer", #""batch_input_shape": [null, 64, 64, 1]"#,
      "layer 'c' (InputLayer): has batch_input_shape = [null,64,64,1]; pictures of 3 channels are read"
    ),
    (
      "Dense", #""units": 3"#,
      "layer 'c' (Dense): is of a class that is not known here; 'stylemodel inspect' lists the weights; "
        + "--arch FILE takes a recipe that says what to do with them"
    ),
  ]

  @Test(arguments: refusals)
  func refusesByLayerClassAndArgument(className: String, settings: String, message: String) throws {
    let error = #expect(throws: StyleModelError.self) { try Self.network(className, settings) }
    #expect(error?.message == message)
  }

  @Test func refusesBilinearEnlargementOfOldReleases() throws {
    for version in [nil, "2.1.6", "2.2.4"] {
      let error = #expect(throws: StyleModelError.self) {
        try Self.network("UpSampling2D", #""interpolation": "bilinear""#, version: version)
      }
      #expect(error?.problem.contains("before TensorFlow 2") == true)
    }
    _ = try Self.network("UpSampling2D", #""interpolation": "bilinear""#, version: "2.2.4-tf")
  }

  /// Theano runs through kernels backwards, and pads by half of them at any stride.
  @Test func turnsTheKernelsOfTheano() throws {
    let settings = #""padding": "same", "strides": [2, 2]"#
    let forwards = try Self.network("Conv2D", settings)
    let backwards = try Self.network("Conv2D", settings, backend: "theano")
    func kernel(_ network: KerasNetwork) throws -> [Float] {
      try #require(network.graph.constantsInOrder.first { $0.constant.name == "c/kernel:0" }).constant.tensor
        .floats()
    }
    let (one, other) = (try kernel(forwards), try kernel(backwards))
    #expect(one != other)
    for start in stride(from: 0, to: 81, by: 9) {
      #expect(Array(one[start..<(start + 9)].reversed()) == Array(other[start..<(start + 9)]))
    }
    guard case .convolution(let convolution) = backwards.graph.nodes[0].operation else {
      Issue.record("no convolution")
      return
    }
    #expect(convolution.padding == Insets(all: 1) && convolution.same == nil)
  }

  @Test func namesClassesAsKeras3Does() {
    for (name, expected) in [
      ("Conv2D", "conv2d"), ("Conv2DTranspose", "conv2d_transpose"), ("LeakyReLU", "leaky_re_lu"),
      ("BatchNormalization", "batch_normalization"), ("SeparableConv2D", "separable_conv2d"),
    ] {
      #expect(snakeCase(name) == expected)
    }
  }

  @Test func refusesNetworksThatGoRoundInCircles() throws {
    let layers =
      #"{"class_name": "ReLU", "name": "a", "config": {"name": "a"}, "inbound_nodes": [[["b", 0, 0, {}]]]}, "#
      + #"{"class_name": "ReLU", "name": "b", "config": {"name": "b"}, "inbound_nodes": [[["a", 0, 0, {}]]]}"#
    let text =
      #"{"class_name": "Functional", "config": {"name": "m", "layers": [\#(layers)], "input_layers": [], "#
      + #""output_layers": [["a", 0, 0]]}}"#
    let config = try KerasConfig(try JSONValue(parsing: Array(text.utf8)[...]))
    let weights = try Self.weights()
    let error = #expect(throws: StyleModelError.self) { try KerasTranslator.network(config, weights) }
    #expect(error?.problem.contains("goes round in a circle") == true)
  }
}
