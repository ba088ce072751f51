import Diagnostics
import ModelGraph
import Testing

@testable import ONNXImporter

/// What single operators become. The rules are those of the ONNX standard; where it names a default, so does a test.
@Suite struct OperatorTests {
  typealias Model = HandMadeModel
  typealias Node = HandMadeModel.Node

  private static let kernel = Model.Tensor.floats("w", [3, 3, 3, 3], [Float](repeating: 1, count: 81))
  private static let odd = Model.Tensor.floats("w", [3, 3, 4, 4], [Float](repeating: 1, count: 144))
  private static let channel = Model.Tensor.floats("c", [3, 1, 1], [1, 2, 3])
  private static let slope = Model.Tensor.floats("s", [1], [0.25])

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let operatorSet: Int
    let input: [Int?]
    let model: @Sendable () -> (nodes: [Node], tensors: [Model.Tensor])
    let expected: [String]
    var testDescription: String { name }

    init(
      _ name: String, _ expected: [String], operatorSet: Int = 17, input: [Int?] = [1, 3, nil, nil],
      _ model: @escaping @Sendable () -> (nodes: [Node], tensors: [Model.Tensor])
    ) {
      self.name = name
      self.expected = expected
      self.operatorSet = operatorSet
      self.input = input
      self.model = model
    }
  }

  static let understood: [Case] = [
    Case("pads of a convolution are beginnings, then ends", ["conv padding: [1, 2, 3, 4]"]) {
      ([Node("Conv", ["x", "w"], "y", ("pads", .integers([1, 2, 3, 4])))], [kernel])
    },
    Case("SAME_UPPER pads more at the end", ["conv same: upper"]) {
      ([Node("Conv", ["x", "w"], "y", ("auto_pad", .text("SAME_UPPER")))], [odd])
    },
    Case("SAME_LOWER pads more at the beginning", ["conv same: lower"]) {
      ([Node("Conv", ["x", "w"], "y", ("auto_pad", .text("SAME_LOWER")))], [odd])
    },
    Case("SAME by strides, whose padding depends on the size", ["conv stride: [2, 2], same: upper"]) {
      (
        [Node("Conv", ["x", "w"], "y", ("auto_pad", .text("SAME_UPPER")), ("strides", .integers([2, 2])))],
        [kernel]
      )
    },
    Case("strides, dilations and groups", ["conv stride: [2, 1], dilation: [1, 2], groups: 3"]) {
      (
        [
          Node(
            "Conv", ["x", "w"], "y", ("strides", .integers([2, 1])), ("dilations", .integers([1, 2])),
            ("group", .integer(3)))
        ], [Model.Tensor.floats("w", [3, 1, 3, 3], [Float](repeating: 1, count: 27))]
      )
    },
    Case(
      "a transposed convolution's output_padding",
      ["conv_transpose stride: [2, 2], padding: [1, 1, 1, 1], output_padding: [1, 1]"]
    ) {
      (
        [
          Node(
            "ConvTranspose", ["x", "w"], "y", ("strides", .integers([2, 2])),
            ("pads", .integers([1, 1, 1, 1])),
            ("output_padding", .integers([1, 1])))
        ], [kernel]
      )
    },
    Case(
      "output_shape is a padding, larger at the beginning",
      ["conv_transpose stride: [2, 2], padding: [1, 1, 0, 0]"], input: [1, 3, 32, 48]
    ) {
      (
        [
          Node(
            "ConvTranspose", ["x", "w"], "y", ("strides", .integers([2, 2])),
            ("output_shape", .integers([64, 96])))
        ], [kernel]
      )
    },
    Case("auto_pad of a transposed convolution", ["conv_transpose stride: [2, 2], padding: [0, 0, 1, 1]"]) {
      (
        [
          Node(
            "ConvTranspose", ["x", "w"], "y", ("strides", .integers([2, 2])),
            ("auto_pad", .text("SAME_UPPER")))
        ], [kernel]
      )
    },
    Case("Pad with an attribute", ["pad amounts: [1, 2, 3, 4], mode: reflect"], operatorSet: 9) {
      (
        [Node("Pad", ["x"], "y", ("mode", .text("reflect")), ("pads", .integers([0, 0, 1, 2, 0, 0, 3, 4])))],
        []
      )
    },
    Case("Pad with an input and axes", ["pad amounts: [1, 2, 3, 4], mode: replicate"], operatorSet: 18) {
      (
        [Node("Pad", ["x", "p", "", "a"], "y", ("mode", .text("edge")))],
        [.integers("p", [2, 1, 4, 3]), .integers("a", [3, -2])]
      )
    },
    Case("Pad by less than nothing", ["crop amounts: [0, 1, 0, 0]", "pad amounts: [0, 0, 2, 0], mode: zero"])
    {
      ([Node("Pad", ["x", "p"], "y")], [.integers("p", [0, 0, 0, -1, 0, 0, 2, 0])])
    },
    Case(
      "Pad with a number",
      [
        "linear scale: 1.0, bias: -0.5", "pad amounts: [1, 1, 1, 1], mode: zero",
        "linear scale: 1.0, bias: 0.5",
      ]
    ) {
      (
        [Node("Pad", ["x", "p", "v"], "y")],
        [.integers("p", [0, 0, 1, 1, 0, 0, 1, 1]), .floats("v", [], [0.5])]
      )
    },
    Case("Upsample by an attribute", ["upsample factor: [2, 3], mode: nearest"], operatorSet: 7) {
      ([Node("Upsample", ["x"], "y", ("scales", .numbers([1, 1, 2, 3])))], [])
    },
    Case(
      "Resize with the defaults of operator set 11", ["upsample factor: [2, 2], mode: nearest"],
      operatorSet: 11
    ) {
      ([Node("Resize", ["x", "", "s"], "y")], [.floats("s", [4], [1, 1, 2, 2])])
    },
    Case("Resize asymmetric, floor", ["upsample factor: [2, 2], mode: nearest"]) {
      (
        [
          Node(
            "Resize", ["x", "", "s"], "y", ("coordinate_transformation_mode", .text("asymmetric")),
            ("nearest_mode", .text("floor")))
        ], [.floats("s", [4], [1, 1, 2, 2])]
      )
    },
    Case("Resize linear, half_pixel", ["upsample factor: [4, 4], mode: bilinear"]) {
      ([Node("Resize", ["x", "", "s"], "y", ("mode", .text("linear")))], [.floats("s", [4], [1, 1, 4, 4])])
    },
    Case("Resize to sizes computed from the picture's own", ["upsample factor: [2, 2], mode: nearest"]) {
      (
        [
          Node("Shape", ["x"], "shape", ("start", .integer(2))), Node("Mul", ["shape", "two"], "spread"),
          Node("Concat", ["front", "spread"], "sizes", ("axis", .integer(0))),
          Node(
            "Resize", ["x", "", "", "sizes"], "y", ("coordinate_transformation_mode", .text("asymmetric")),
            ("nearest_mode", .text("floor"))),
        ], [.integers("two", [2]), .integers("front", [1, 3])]
      )
    },
    Case("Clip by attributes", ["clamp lower: 0.0, upper: 6.0"], operatorSet: 6) {
      ([Node("Clip", ["x"], "y", ("min", .number(0)), ("max", .number(6)))], [])
    },
    Case("Clip by inputs, one of them left out", ["relu"]) {
      ([Node("Clip", ["x", "low"], "y")], [.floats("low", [], [0])])
    },
    Case("PRelu with one slope", ["leaky_relu slope: 0.25"]) { ([Node("PRelu", ["x", "s"], "y")], [slope]) },
    Case("PRelu with a slope a channel", ["relu", "sub", "batch_norm epsilon: 0.0", "add"]) {
      ([Node("PRelu", ["x", "c"], "y")], [channel])
    },
    Case("LeakyRelu with its default", ["leaky_relu slope: 0.01"]) { ([Node("LeakyRelu", ["x"], "y")], []) },
    Case("HardSigmoid with its defaults", ["linear scale: 0.2, bias: 0.5", "clamp lower: 0.0, upper: 1.0"]) {
      ([Node("HardSigmoid", ["x"], "y")], [])
    },
    Case("HardSwish", ["linear scale: 0.16666667, bias: 0.5", "clamp lower: 0.0, upper: 1.0", "mul"]) {
      ([Node("HardSwish", ["x"], "y")], [])
    },
    Case(
      "arithmetic with one number",
      ["linear scale: 1.0, bias: 2.0", "linear scale: -1.0, bias: 2.0", "linear scale: 0.5, bias: 0.0"]
    ) {
      (
        [Node("Add", ["x", "n"], "a"), Node("Sub", ["n", "a"], "b"), Node("Div", ["b", "n"], "y")],
        [.floats("n", [], [2])]
      )
    },
    Case("arithmetic with a number a channel", ["batch_norm epsilon: 0.0"]) {
      ([Node("Mul", ["x", "c"], "y")], [channel])
    },
    Case("a bias along an axis, as before operator set 7", ["batch_norm epsilon: 0.0"], operatorSet: 6) {
      (
        [Node("Add", ["x", "c"], "y", ("broadcast", .integer(1)), ("axis", .integer(1)))],
        [.floats("c", [3], [1, 2, 3])]
      )
    },
    Case("a square that is no statistic", ["mul"]) { ([Node("Mul", ["x", "x"], "y")], []) },
    Case("what changes nothing", ["relu"]) {
      (
        [
          Node("Identity", ["x"], "a"), Node("Dropout", ["a"], "b"),
          Node("Cast", ["b"], "c", ("to", .integer(1))),
          Node("Relu", ["c"], "y"),
        ], []
      )
    },
    Case("a crop", ["crop amounts: [1, 2, 3, 4]"]) {
      (
        [Node("Slice", ["x", "b", "e", "a"], "y")],
        [.integers("b", [1, 2]), .integers("e", [-3, -4]), .integers("a", [2, 3])]
      )
    },
    Case("pictures with channels at the end", ["relu"], input: [1, nil, nil, 3]) {
      (
        [
          Node("Transpose", ["x"], "a", ("perm", .integers([0, 3, 1, 2]))), Node("Relu", ["a"], "b"),
          Node("Transpose", ["b"], "y", ("perm", .integers([0, 2, 3, 1]))),
        ], []
      )
    },
    Case("GroupNormalization with one channel a group", ["instance_norm epsilon: 1e-05"], operatorSet: 21) {
      (
        [Node("GroupNormalization", ["x", "g", "g"], "y", ("num_groups", .integer(3)))],
        [.floats("g", [3], [1, 2, 3])]
      )
    },
    Case(
      "a group norm of one channel a group, as PyTorch writes it",
      ["instance_norm epsilon: 1e-05", "batch_norm epsilon: 0.0"]
    ) {
      (
        [
          Node("Reshape", ["x", "flat"], "a"), Node("InstanceNormalization", ["a", "one", "zero"], "b"),
          Node("Shape", ["x"], "shape"), Node("Reshape", ["b", "shape"], "d"), Node("Mul", ["d", "c"], "y"),
        ],
        [
          .integers("flat", [0, 3, -1]), .floats("one", [3], [1, 1, 1]), .floats("zero", [3], [0, 0, 0]),
          channel,
        ]
      )
    },
    Case("BatchNormalization", ["batch_norm epsilon: 0.001"]) {
      (
        [Node("BatchNormalization", ["x", "g", "g", "g", "g"], "y", ("epsilon", .number(0.001)))],
        [.floats("g", [3], [1, 2, 3])]
      )
    },
    Case(
      "a cut to the picture's size at the end, one axis after the other",
      ["conv stride: [2, 2], padding: [1, 1, 1, 1]", "upsample factor: [2, 2], mode: nearest", "tanh"]
    ) {
      (
        [
          Node("Conv", ["x", "w"], "b", ("strides", .integers([2, 2])), ("pads", .integers([1, 1, 1, 1]))),
          Node(
            "Resize", ["b", "", "s"], "c", ("coordinate_transformation_mode", .text("asymmetric")),
            ("nearest_mode", .text("floor"))),
          Node("Shape", ["x"], "height", ("start", .integer(2)), ("end", .integer(3))),
          Node("Shape", ["x"], "width", ("start", .integer(3))),
          Node("Slice", ["c", "o", "height", "rows"], "d"),
          Node("Slice", ["d", "o", "width", "columns"], "e"),
          Node("Tanh", ["e"], "y"),
        ],
        [
          kernel, .floats("s", [4], [1, 1, 2, 2]), .integers("o", [0]), .integers("rows", [2]),
          .integers("columns", [3]),
        ]
      )
    },
    Case("depth to space", ["conv", "conv_transpose stride: [2, 2]"]) {
      (
        [Node("Conv", ["x", "w"], "a"), Node("DepthToSpace", ["a"], "y", ("blocksize", .integer(2)))],
        [.floats("w", [12, 3, 1, 1], [Float](repeating: 1, count: 36))]
      )
    },
  ]

  @Test(arguments: understood) func becomes(_ example: Case) throws {
    let (nodes, tensors) = example.model()
    let model = Model(operatorSet: example.operatorSet, input: example.input, nodes: nodes, tensors: tensors)
    #expect(try model.operations() == example.expected)
  }

  static let refused: [Case] = [
    Case("align_corners", ["Resize 'y': resizes by mode 'linear' with coordinates 'align_corners'"]) {
      (
        [
          Node(
            "Resize", ["x", "", "s"], "y", ("mode", .text("linear")),
            ("coordinate_transformation_mode", .text("align_corners")))
        ],
        [.floats("s", [4], [1, 1, 2, 2])]
      )
    },
    Case("cubic", ["Resize 'y': resizes by mode 'cubic'"]) {
      ([Node("Resize", ["x", "", "s"], "y", ("mode", .text("cubic")))], [.floats("s", [4], [1, 1, 2, 2])])
    },
    Case(
      "the bilinear mode of Upsample",
      ["Upsample 'y': resizes by mode 'linear' with coordinates 'asymmetric'"], operatorSet: 9
    ) {
      ([Node("Upsample", ["x", "s"], "y", ("mode", .text("linear")))], [.floats("s", [4], [1, 1, 2, 2])])
    },
    Case("a fraction", ["Resize 'y': resizes axis 2 by 1.5"]) {
      ([Node("Resize", ["x", "", "s"], "y")], [.floats("s", [4], [1, 1, 1.5, 2])])
    },
    Case(
      "nearest, but rounded up",
      ["Resize 'y': resizes by mode 'nearest' with coordinates 'half_pixel' and nearest_mode 'ceil'"]
    ) {
      (
        [Node("Resize", ["x", "", "s"], "y", ("nearest_mode", .text("ceil")))],
        [.floats("s", [4], [1, 1, 2, 2])]
      )
    },
    Case("an enlargement to a fixed size", ["Resize 'y': resizes axis 3 by 1.6"]) {
      ([Node("Resize", ["x", "", "", "s"], "y")], [.integers("s", [1, 3, 512, 512])])
    },
    Case("wrapped padding", ["Pad 'y': pads by 'wrap'"], operatorSet: 19) {
      ([Node("Pad", ["x", "p"], "y", ("mode", .text("wrap")))], [.integers("p", [0, 0, 1, 1, 0, 0, 1, 1])])
    },
    Case("padded channels", ["Pad 'y': pads other axes than height and width"]) {
      ([Node("Pad", ["x", "p"], "y")], [.integers("p", [0, 1, 0, 0, 0, 0, 0, 0])])
    },
    Case("real groups", ["GroupNormalization 'y': normalises 3 channels in 1 group"], operatorSet: 21) {
      (
        [Node("GroupNormalization", ["x", "g", "g"], "y", ("num_groups", .integer(1)))],
        [.floats("g", [3], [1, 2, 3])]
      )
    },
    Case("a mean over channels", ["ReduceMean 'y': averages axes [1]"]) {
      ([Node("ReduceMean", ["x"], "y", ("axes", .integers([1])))], [])
    },
    Case("a mean that is no norm's", ["Mul 'y': uses statistics of a picture"]) {
      ([Node("GlobalAveragePool", ["x"], "m"), Node("Mul", ["x", "m"], "y")], [])
    },
    Case("an unknown operator", ["LSTM 'y': is an operator that is not understood"]) {
      ([Node("LSTM", ["x"], "y")], [])
    },
    Case(
      "a constant along rows",
      ["Mul 'y': combines a picture of shape [1, 3, 256, 320] with a constant of shape [3, 1]"]
    ) {
      ([Node("Mul", ["x", "c"], "y")], [.floats("c", [3, 1], [1, 2, 3])])
    },
    Case("pictures joined side by side", ["Concat 'y': joins several pictures along another axis"]) {
      ([Node("Relu", ["x"], "a"), Node("Concat", ["x", "a"], "y", ("axis", .integer(3)))], [])
    },
    Case("channels that are not there", ["Gather 'y': takes channels [0, 3] of 3"]) {
      ([Node("Gather", ["x", "i"], "y", ("axis", .integer(1)))], [.integers("i", [0, 3])])
    },
    Case("rows by a list", ["Gather 'y': takes other parts of a picture than channels"]) {
      ([Node("Gather", ["x", "i"], "y", ("axis", .integer(2)))], [.integers("i", [0, 1])])
    },
    Case("an average of what is there", ["AveragePool 'y': averages fewer pixels at the edges"]) {
      (
        [
          Node(
            "AveragePool", ["x"], "y", ("kernel_shape", .integers([3, 3])),
            ("pads", .integers([1, 1, 1, 1])))
        ], []
      )
    },
    Case("a cut to the picture's size, and more after it", ["Conv 'y': works on what was cut"]) {
      (
        [
          Node("Pad", ["x", "p"], "a", ("mode", .text("reflect"))),
          Node("Conv", ["a", "w"], "b", ("strides", .integers([2, 2]))),
          Node(
            "Resize", ["b", "", "s"], "c", ("coordinate_transformation_mode", .text("asymmetric")),
            ("nearest_mode", .text("floor"))),
          Node("Shape", ["x"], "n", ("start", .integer(2))), Node("Slice", ["c", "o", "n", "axes"], "d"),
          Node("Conv", ["d", "w"], "y"),
        ],
        [
          kernel, .integers("p", [0, 0, 1, 1, 0, 0, 1, 1]), .floats("s", [4], [1, 1, 2, 2]),
          .integers("o", [0, 0]), .integers("axes", [2, 3]),
        ]
      )
    },
    Case(
      "kernels that do not fit",
      ["Conv 'y': conv with weights [3, 3, 3, 3] in 2 groups does not fit 3 channels"]
    ) {
      ([Node("Conv", ["x", "w"], "y", ("group", .integer(2)))], [kernel])
    },
    Case("a value from nowhere", ["Relu 'y': uses 'z', which is not computed before it"]) {
      ([Node("Relu", ["z"], "y")], [])
    },
    Case(
      "one channel", ["input 'x': has shape [1, 1, 224, 224]: it takes 1 channel; a picture has 3"],
      input: [1, 1, 224, 224]
    ) {
      ([Node("Relu", ["x"], "y")], [])
    },
    Case("a batch", ["input 'x': takes 4 pictures at once"], input: [4, 3, nil, nil]) {
      ([Node("Relu", ["x"], "y")], [])
    },
    Case("an output that is reshaped", ["output 'y': has shape [1, 3, 81920], which is no picture"]) {
      ([Node("Flatten", ["x"], "a"), Node("Reshape", ["a", "s"], "y")], [.integers("s", [1, 3, -1])])
    },
  ]

  @Test(arguments: refused) func isRefusedByName(_ example: Case) throws {
    let (nodes, tensors) = example.model()
    let model = Model(operatorSet: example.operatorSet, input: example.input, nodes: nodes, tensors: tensors)
    do {
      _ = try model.network()
      Issue.record("it was understood")
    } catch {
      #expect(error.kind == .badInput)
      #expect(error.message.hasPrefix(example.expected[0]), "\(error.message)")
    }
  }

  @Test func theFilesOwnWordOnItsPixelsCounts() throws {
    var model = Model(nodes: [Node("Relu", ["x"], "y")])
    #expect(try !model.network().saysPixels)
    model.metadata = [("stylemodel.contract", "pixels(imagenet, rounding: truncate)")]
    let network = try model.network()
    #expect(network.saysPixels && network.graph.contract.rounding == .truncate)
    model.metadata = [("stylemodel.contract", "pixels(sepia)")]
    #expect(throws: StyleModelError.self) { try model.network() }
  }
}
