import Diagnostics
import ModelGraph
import ProtobufSupport
import Tensors
import Testing

@testable import CoreMLImporter

/// What single layers become: the defaults that absent fields mean, and the settings that matter.
@Suite struct LayerTests {
  typealias Layer = HandMadeModel.Layer

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let expected: [String]
    let model: @Sendable () -> HandMadeModel
    var testDescription: String { name }

    init(_ name: String, _ expected: [String], _ model: @escaping @Sendable () -> HandMadeModel) {
      self.name = name
      self.expected = expected
      self.model = model
    }

    /// Layers in the exact mapping.
    init(_ name: String, _ expected: [String], layers: @escaping @Sendable () -> [Layer]) {
      self.init(name, expected) { HandMadeModel(layers()) }
    }
  }

  static func edges(_ writer: inout ProtobufWriter, _ field: Int, _ amounts: [[Int]]) {
    writer.message(field) { border in
      for pair in amounts {
        border.message(10) {
          $0.number(1, pair[0])
          $0.number(2, pair[1])
        }
      }
    }
  }

  static let understood: [Case] = [
    Case("a convolution without kernel size, stride or groups", ["conv"]) {
      [
        Layer(100, ["x"], ["y"]) { writer in
          writer.number(1, 3)
          writer.number(2, 3)
          writer.message(50) { _ in }
          writer.message(90) { $0.floats(1, [Float](repeating: 1, count: 81)) }
        }
      ]
    },
    Case("valid padding is height's, then width's", ["conv padding: [1, 3, 2, 4]"]) {
      [.convolution("x", "y") { $0.message(50) { LayerTests.edges(&$0, 1, [[1, 2], [3, 4]]) } }]
    },
    Case("an empty message says same, bottom right heavy", ["conv stride: [2, 2], same: upper"]) {
      [
        .convolution("x", "y") {
          $0.numbers(30, [2, 2])
          $0.message(51) { _ in }
        }
      ]
    },
    Case("same, top left heavy", ["conv same: lower"]) {
      [.convolution("x", "y") { $0.message(51) { $0.number(1, 1) } }]
    },
    Case("groups and dilation", ["conv dilation: [2, 1], groups: 3"]) {
      [
        .convolution("x", "y", inputs: 1) {
          $0.number(10, 3)
          $0.numbers(40, [2, 1])
        }
      ]
    },
    Case(
      "an output shape larger than what kernels reach adds rows at the end",
      ["conv_transpose stride: [2, 2], output_padding: [1, 1]"]
    ) {
      [
        .convolution("x", "y") {
          $0.numbers(30, [2, 2])
          $0.number(60, 1)
          $0.numbers(100, [98, 66])
        }
      ]
    },
    Case("a smaller one cuts them there", ["conv_transpose stride: [2, 2], padding: [0, 0, 1, 1]"]) {
      [
        .convolution("x", "y") {
          $0.numbers(30, [2, 2])
          $0.number(60, 1)
          $0.numbers(100, [96, 64])
        }
      ]
    },
    Case(
      "valid borders of a transposed convolution are cut",
      ["conv_transpose stride: [2, 2], padding: [1, 1, 1, 1]"]
    ) {
      [
        .convolution("x", "y") {
          $0.numbers(30, [2, 2])
          $0.number(60, 1)
          $0.message(50) { LayerTests.edges(&$0, 1, [[1, 1], [1, 1]]) }
        }
      ]
    },
    Case(
      "same of a transposed convolution multiplies", ["conv_transpose stride: [2, 2], padding: [0, 0, 1, 1]"]
    ) {
      [
        .convolution("x", "y") {
          $0.numbers(30, [2, 2])
          $0.number(60, 1)
          $0.message(51) { _ in }
        }
      ]
    },
    Case("reflection is an empty message", ["pad amounts: [1, 2, 1, 2], mode: reflect"]) {
      [
        Layer(200, ["x"], ["y"]) {
          $0.message(2) { _ in }
          LayerTests.edges(&$0, 10, [[1, 1], [2, 2]])
        }
      ]
    },
    Case(
      "a constant that is not zero",
      [
        "linear scale: 1.0, bias: -7.0", "pad amounts: [1, 2, 1, 2], mode: zero",
        "linear scale: 1.0, bias: 7.0",
      ]
    ) {
      [
        Layer(200, ["x"], ["y"]) {
          $0.message(1) { $0.float(1, 7) }
          LayerTests.edges(&$0, 10, [[1, 1], [2, 2]])
        }
      ]
    },
    Case("batchnorm without epsilon, both flags set: live statistics", ["instance_norm epsilon: 1e-05"]) {
      [
        Layer(160, ["x"], ["y"]) {
          $0.number(1, 3)
          $0.number(5, 1)
          $0.number(6, 1)
          $0.message(15) { $0.floats(1, [1, 2, 3]) }
          $0.message(16) { $0.floats(1, [1, 2, 3]) }
          // Empty messages, as converters leave them.
          $0.message(17) { _ in }
          $0.message(18) { _ in }
        }
      ]
    },
    Case("batchnorm with stored statistics, whatever its name", ["batch_norm epsilon: 0.001"]) {
      [
        Layer(160, ["x"], ["y"]) {
          $0.number(1, 3)
          $0.float(10, 0.001)
          for field in 15...18 { $0.message(field) { $0.floats(1, [1, 2, 3]) } }
        }
      ]
    },
    Case(
      "activations",
      [
        "leaky_relu slope: 0.25", "linear scale: 2.0, bias: 0.0", "tanh", "linear scale: 150.0, bias: 0.0",
        "clamp lower: 0.0, upper: 255.0",
      ]
    ) {
      [
        Layer(130, ["x"], ["a"]) { $0.message(15) { $0.float(1, 0.25) } },
        Layer(130, ["a"], ["b"]) {
          $0.message(31) {
            $0.float(1, 150)
            $0.float(2, 2)
          }
        },
        Layer(660, ["b"], ["y"]) { $0.float(2, 255) },
      ]
    },
    Case("ReLU6 as clampedReLU", ["relu", "clamp lower: -3.4028235e+38, upper: 6.0"]) {
      [Layer(1460, ["x"], ["y"]) { $0.float(2, 6) }]
    },
    Case("slopes a channel", ["relu", "sub", "batch_norm epsilon: 0.0", "add"]) {
      [Layer(130, ["x"], ["y"]) { $0.message(25) { $0.message(1) { $0.floats(1, [0.1, 0.2, 0.3]) } } }]
    },
    Case(
      "upsample says nearest by nothing",
      ["upsample factor: [2, 2], mode: nearest", "crop amounts: [24, 16, 24, 16]"]
    ) {
      [
        Layer(210, ["x"], ["a"]) { $0.numbers(1, [2, 2]) },
        Layer(190, ["a"], ["y"]) { LayerTests.edges(&$0, 1, [[24, 24], [16, 16]]) },
      ]
    },
    Case("bilinear with centres on centres", ["upsample factor: [2, 2], mode: bilinear"]) {
      [
        Layer(210, ["x"], ["y"]) {
          $0.numbers(1, [2, 2])
          $0.number(5, 1)
          $0.number(6, 2)
        }
      ]
    },
    Case("bilinear by default begins at the corner", ["resize size: [96, 64], placement: start"]) {
      [
        Layer(210, ["x"], ["y"]) {
          $0.numbers(1, [2, 2])
          $0.number(5, 1)
        }
      ]
    },
    Case("resizeBilinear with UPSAMPLE_MODE", ["resize size: [100, 50], placement: start"]) {
      [
        Layer(211, ["x"], ["y"]) {
          $0.numbers(1, [100, 50])
          $0.message(2) { $0.number(1, 2) }
        }
      ]
    },
    Case(
      "a crop to another picture's size",
      ["pad amounts: [2, 2, 2, 2], mode: zero", "crop amounts: [1, 2, 3, 2]", "add"]
    ) {
      [
        Layer(200, ["x"], ["a"]) {
          $0.message(1) { _ in }
          LayerTests.edges(&$0, 10, [[2, 2], [2, 2]])
        },
        Layer(190, ["a", "x"], ["b"]) { $0.numbers(5, [1, 2]) }, Layer(230, ["b", "x"], ["y"]),
      ]
    },
    Case("three channels split, scaled each by its own number, and stacked", ["batch_norm epsilon: 0.0"]) {
      [
        Layer(330, ["x"], ["r", "g", "b"]) { $0.number(1, 3) },
        Layer(130, ["r"], ["R"]) { $0.message(5) { $0.float(1, 2) } },
        Layer(130, ["g"], ["G"]) {
          $0.message(5) {
            $0.float(1, 3)
            $0.float(2, 1)
          }
        },
        Layer(130, ["b"], ["B"]) { $0.message(5) { $0.float(1, 4) } }, Layer(925, ["R", "G", "B"], ["s"]),
        Layer(1120, ["s"], ["y"]) { $0.number(2, 1) },
      ]
    },
    Case("average pooling is a depthwise convolution", ["conv stride: [2, 2], groups: 3"]) {
      [
        Layer(120, ["x"], ["y"]) {
          $0.number(1, 1)
          $0.numbers(10, [2, 2])
          $0.numbers(20, [2, 2])
        }
      ]
    },
    Case("a mean taken apart in channels-last order", ["instance_norm epsilon: 0.001001"]) {
      [
        Layer(985, ["x"], ["h"]) { $0.numbers(1, [0, 2, 3, 1]) },
        Layer(1280, ["h"], ["m"]) {
          $0.numbers(1, [1, 2])
          $0.number(2, 1)
        },
        Layer(905, ["h", "m"], ["d"]),
        Layer(220, ["d"], ["q"]) {
          $0.number(1, 3)
          $0.float(2, 2)
        },
        Layer(1280, ["q"], ["v"]) {
          $0.numbers(1, [1, 2])
          $0.number(2, 1)
        },
        Layer(230, ["v"], ["e"]) { $0.float(1, 0.001) },
        // The layer adds an epsilon of 1e-6 of its own.
        Layer(220, ["e"], ["i"]) { $0.number(1, 1) },
        Layer(900, ["h", "i"], ["s"]), Layer(231, ["m", "i"], ["t"]),
        Layer(231, ["t"], ["n"]) { $0.float(1, -1) },
        Layer(880, ["s", "n"], ["o"]), Layer(985, ["o"], ["y"]) { $0.numbers(1, [0, 3, 1, 2]) },
      ]
    },
    Case("sums over all pixels in the rank-5 mapping", ["instance_norm epsilon: 1.1e-05"]) {
      var model = HandMadeModel([
        Layer(280, ["x"], ["S"]) { $0.number(3, 1) }, Layer(231, ["S"], ["m"]) { $0.float(1, 1.0 / 1536) },
        Layer(231, ["x", "x"], ["q"]), Layer(280, ["q"], ["Q"]) { $0.number(3, 1) },
        Layer(231, ["Q"], ["r"]) { $0.float(1, 1.0 / 1536) }, Layer(231, ["m", "m"], ["p"]),
        Layer(130, ["p"], ["n"]) { $0.message(5) { $0.float(1, -1) } }, Layer(230, ["r", "n"], ["v"]),
        Layer(230, ["v"], ["e"]) { $0.float(1, 1e-5) }, Layer(220, ["e"], ["i"]) { $0.number(1, 1) },
        Layer(290, [], ["g"]) {
          $0.numbers(1, [3, 1, 1])
          $0.message(2) { $0.floats(1, [1, 2, 3]) }
        },
        Layer(231, ["i", "g"], ["k"]), Layer(231, ["m", "k"], ["t"]),
        Layer(130, ["t"], ["u"]) { $0.message(5) { $0.float(1, -1) } }, Layer(231, ["x", "k"], ["a"]),
        Layer(230, ["a", "u"], ["y"]),
      ])
      model.mapping = 0
      return model
    },
    Case("styles by an inner product", ["conditional_instance_norm epsilon: 1e-05"]) {
      var model = HandMadeModel([
        Layer(160, ["x"], ["a"]) {
          $0.number(1, 3)
          $0.number(5, 1)
          $0.number(6, 1)
        },
        Layer(140, ["index"], ["g"]) {
          $0.number(1, 2)
          $0.number(2, 3)
          $0.message(20) { $0.floats(1, [1, 2, 3, 4, 5, 6]) }
        },
        Layer(231, ["a", "g"], ["b"]),
        Layer(140, ["index"], ["h"]) {
          $0.number(1, 2)
          $0.number(2, 3)
          $0.message(20) { $0.floats(1, [1, 2, 3, 4, 5, 6]) }
        }, Layer(230, ["b", "h"], ["y"]),
      ])
      model.mapping = 0
      model.style = [2]
      return model
    },
    Case("BGR in and RGB out", ["relu", "conv"]) {
      var model = HandMadeModel([Layer(130, ["x"], ["y"]) { $0.message(10) { _ in } }])
      model.colorSpaces = (30, 20)
      return model
    },
  ]

  @Test(arguments: understood) func becomes(_ example: Case) throws {
    #expect(try example.model().operations() == example.expected)
  }

  @Test func tablesOfStylesHoldARowAStyle() throws {
    let example = try #require(Self.understood.first { $0.name == "styles by an inner product" })
    let graph = try example.model().network().graph
    #expect(graph.styles == StyleSet(inputName: "index", count: 2))
    guard case .conditionalInstanceNorm(let norm)? = graph.nodes.first?.operation else {
      Issue.record("is no conditional norm")
      return
    }
    // Weights are [channels, styles]; the table is [styles, channels].
    #expect(graph.tensor(norm.gamma)?.floats() == [1, 3, 5, 2, 4, 6])
    #expect(graph.tensor(norm.beta)?.floats() == [1, 3, 5, 2, 4, 6])
  }

  @Test func preprocessingIsTheInputsContract() throws {
    var model = HandMadeModel([Layer(130, ["x"], ["y"]) { $0.message(10) { _ in } }])
    model.colorSpaces = (30, 30)
    model.preprocessing = [
      {
        $0.text(1, "x")
        $0.message(10) {
          $0.float(10, 0.5)
          $0.float(20, -1)
          $0.float(21, -2)
          $0.float(22, -3)
        }
      },
      { $0.message(11) { $0.floats(1, (0..<3 * 1536).map { Float($0 / 1536) }) } },
    ]
    let contract = try model.network().graph.contract
    #expect(contract.channelOrder == .bgr)
    #expect(contract.inputScale == [0.5, 0.5, 0.5] && contract.inputBias == [-1, -3, -5])
    // Absent is 0 on the wire, and means 1.
    model.preprocessing = [{ $0.message(10) { $0.float(22, -3) } }]
    let network = try model.network()
    #expect(
      network.graph.contract.inputScale == [1, 1, 1] && network.graph.contract.inputBias == [0, 0, -3])
    #expect(network.notes.contains { $0.contains("scales pixels by nothing") })
  }

  static let sizes: [(fields: HandMadeModel.Fields, expected: String)] = [
    (
      { image in
        image.message(21) { list in
          for width in [32, 64] {
            list.message(1) {
              $0.number(1, width)
              $0.number(2, 48)
            }
          }
        }
      }, "32x48 or 64x48"
    ),
    (
      { image in
        image.message(31) { range in
          for (field, bounds) in [(1, [16, -1]), (2, [8, 99])] {
            range.message(field) {
              $0.number(1, bounds[0])
              $0.number(2, bounds[1])
            }
          }
        }
      }, "width 16 and more, height 8…99"
    ), ({ _ in }, "32x48 only"),
  ]

  @Test(arguments: sizes.indices) func sizesBind(_ index: Int) throws {
    var model = HandMadeModel([Layer(130, ["x"], ["y"]) { $0.message(10) { _ in } }])
    model.inputType = Self.sizes[index].fields
    #expect(try model.network().graph.contract.sizes.description == Self.sizes[index].expected)
  }

  static let refused: [Case] = [
    Case(
      "a custom layer",
      [
        "layer 0 (custom): is a custom layer, 'MyBlur'; only the app that it was written for can run it; convert the network without it"
      ]
    ) {
      [Layer(500, ["x"], ["y"]) { $0.text(10, "MyBlur") }]
    },
    Case(
      "a kind that the schema leaves out",
      [
        "layer 0 (lrn): is of a kind that is not understood; style networks need none such; convert the network's checkpoint in place of this file"
      ]
    ) {
      [Layer(180, ["x"], ["y"])]
    },
    Case(
      "a kind of the future",
      [
        "layer 0 (layer of an unknown kind (field 1999)): is of a kind that is not understood; style networks need none such; convert the network's checkpoint in place of this file"
      ]
    ) {
      [Layer(1999, ["x"], ["y"])]
    },
    Case(
      "contradictory flags",
      [
        "layer 0 (batchnorm): says that it is an instance norm, but not that its statistics are computed; the two flags contradict each other; convert the network again"
      ]
    ) {
      [
        Layer(160, ["x"], ["y"]) {
          $0.number(1, 3)
          $0.number(6, 1)
        }
      ]
    },
    Case(
      "a padding of no mode",
      ["layer 0 (padding): pads by an unknown mode; constant, reflection and replication are known"]
    ) {
      [Layer(200, ["x"], ["y"]) { LayerTests.edges(&$0, 10, [[1, 1], [1, 1]]) }]
    },
    Case(
      "an encoder",
      [
        "output 'y': has 8 channels; a picture has 3; half of a network, such as an encoder, cannot be run by itself"
      ]
    ) {
      [.convolution("x", "a", outputs: 8), Layer(130, ["a"], ["y"]) { $0.message(10) { _ in } }]
    },
    Case("a blob that nothing computes", ["layer 0 (activation): uses 'z', which is not computed before it"])
    {
      [Layer(130, ["z"], ["y"]) { $0.message(10) { _ in } }]
    },
    Case("no weights", ["layer 0 (convolution): has no weights"]) {
      [
        Layer(100, ["x"], ["y"]) {
          $0.number(1, 3)
          $0.number(2, 3)
        }
      ]
    },
    Case(
      "a reflection as wide as the picture",
      ["layer 0 (padding): pad reflects 40 pixels at the edge of a map of only 32x48; use a larger picture"]
    ) {
      [
        Layer(200, ["x"], ["y"]) {
          $0.message(2) { _ in }
          LayerTests.edges(&$0, 10, [[0, 0], [40, 40]])
        }
      ]
    },
  ]

  @Test(arguments: refused) func isRefusedByName(_ example: Case) throws {
    do throws(StyleModelError) {
      _ = try example.model().operations()
      Issue.record("is read")
    } catch { #expect(error.message == example.expected[0]) }
  }
}
