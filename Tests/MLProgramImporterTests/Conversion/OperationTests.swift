import Diagnostics
import ModelGraph
import TestSupport
import Testing

@testable import MLProgramExporter
@testable import MLProgramImporter

/// A program and what becomes of it.
private struct Case: CustomTestStringConvertible, Sendable {
  let name: String
  let outline: [String]
  var extents: [Int?] = [1, 3, 12, 10]
  /// Adds the operations, and gives the output's name.
  let build: @Sendable (inout SampleProgram) -> String

  var testDescription: String { name }
}

private func single(
  _ type: String, _ arguments: [(role: String, value: ProgramValue)], _ outline: String...
) -> Case {
  Case(name: type, outline: outline) { program in
    program.add(type, [("x", .name(program.input))] + arguments.map { ($0.role, .value($0.value)) })
  }
}

@Suite struct OperationTests {
  private static let cases: [Case] = [
    single("relu", [], "relu"),
    single("relu6", [], "clamp lower 0.0 upper 6.0"),
    single("leaky_relu", [("alpha", .number(Float(0.25)))], "leaky_relu slope 0.25"),
    single("leaky_relu", [], "leaky_relu slope 0.01"),
    single("sigmoid", [], "sigmoid"),
    single(
      "scaled_tanh", [("alpha", .number(Float(150))), ("beta", .number(Float(0.5)))],
      "linear scale 0.5 bias 0.0", "tanh", "linear scale 150.0 bias 0.0"),
    single("sigmoid_hard", [], "linear scale 0.2 bias 0.5", "clamp lower 0.0 upper 1.0"),
    single(
      "clip", [("alpha", .number(Float(0))), ("beta", .number(Float(255)))], "clamp lower 0.0 upper 255.0"),
    single("silu", [], "sigmoid", "mul"),
    single("linear_activation", [("alpha", .number(Float(2)))], "linear scale 2.0 bias 0.0"),
    single("mul", [("y", .number(Float(2)))], "linear scale 2.0 bias 0.0"),
    single("real_div", [("y", .number(Float(4)))], "linear scale 0.25 bias 0.0"),
    single("sub", [("y", .floats([1, 2, 3], shape: [1, 3, 1, 1]))], "batch_norm epsilon 0.0"),
    single("maximum", [("y", .number(Float(0)))], "relu"),
    single("prelu", [("alpha", .floats([0.1, 0.1, 0.1], shape: [3]))], "leaky_relu slope 0.1"),
    single(
      "prelu", [("alpha", .floats([0.1, 0.2, 0.3], shape: [3]))], "relu", "sub", "batch_norm epsilon 0.0",
      "add"),
    single("instance_norm", [("epsilon", .number(Float(0.5)))], "instance_norm epsilon 0.5"),
    single("instance_norm", [], "instance_norm epsilon 1e-05"),
    single(
      "pad", [("pad", .list([1, 2, 3, 4])), ("mode", .text("reflect"))],
      "pad amounts [1, 3, 2, 4] mode reflect"),
    single(
      "pad", [("pad", .list([0, 0, 0, 0, 1, 1, 2, 2])), ("mode", .text("replicate"))],
      "pad amounts [1, 2, 1, 2] mode replicate"),
    single(
      "pad", [("pad", .list([1, 1, 1, 1])), ("constant_val", .number(Float(7)))],
      "linear scale 1.0 bias -7.0", "pad amounts [1, 1, 1, 1] mode zero", "linear scale 1.0 bias 7.0"),
    single(
      "upsample_nearest_neighbor",
      [("scale_factor_height", .number(Float(2))), ("scale_factor_width", .number(3))],
      "upsample factor [2, 3] mode nearest"),
    single(
      "upsample_bilinear", [("scale_factor_height", .number(Float(2))), ("align_corners", .truth(false))],
      "upsample factor [2, 1] mode bilinear"),
    single(
      "resize_nearest_neighbor", [("target_size_height", .number(24)), ("target_size_width", .number(20))],
      "upsample factor [2, 2] mode nearest"),
    single(
      "resize",
      [
        ("shape", .list([36, 0])), ("resized_dims", .number(2)),
        ("interpolation_mode", .text("NEAREST_NEIGHBOR")),
      ], "upsample factor [3, 1] mode nearest"),
    single(
      "resize_bilinear",
      [
        ("target_size_height", .number(24)), ("target_size_width", .number(20)),
        ("sampling_mode", .text("UNALIGN_CORNERS")),
      ], "upsample factor [2, 2] mode bilinear"),
    single(
      "crop", [("crop_height", .list([1, 2])), ("crop_width", .list([3, 0]))], "crop amounts [1, 3, 2, 0]"),
    single(
      "slice_by_index",
      [
        ("begin", .list([0, 0, 1, 2])), ("end", .list([0, 0, -1, 8])),
        ("begin_mask", .truths([true, true, false, false])),
        ("end_mask", .truths([true, true, false, false])),
      ], "crop amounts [1, 2, 1, 2]"),
    single(
      "slice_by_size", [("begin", .list([0, 0, 1, 0])), ("size", .list([1, 3, 5, -1]))],
      "crop amounts [1, 0, 6, 0]"),
    Case(name: "conv, custom", outline: ["conv stride [2, 1] padding [1, 3, 2, 4] dilation [1, 2]"]) {
      $0.add(
        "conv",
        [
          ("x", .name($0.input)), ("weight", $0.weight([3, 3, 3, 3])), ("strides", .value(.list([2, 1]))),
          ("pad_type", .value(.text("custom"))), ("pad", .value(.list([1, 2, 3, 4]))),
          ("dilations", .value(.list([1, 2]))), ("bias", $0.weight([3])),
        ])
    },
    // What stands in 'pad' counts for nothing unless it is asked for.
    Case(name: "conv, valid", outline: ["conv"]) {
      $0.add(
        "conv",
        [
          ("x", .name($0.input)), ("weight", $0.weight([3, 3, 3, 3])), ("pad_type", .value(.text("valid"))),
          ("pad", .value(.list([1, 1, 1, 1]))),
        ])
    },
    Case(name: "conv, same", outline: ["conv stride [2, 2] same upper groups [3]"]) {
      $0.add(
        "conv",
        [
          ("x", .name($0.input)), ("weight", $0.weight([3, 1, 3, 3])), ("strides", .value(.list([2, 2]))),
          ("pad_type", .value(.text("same"))), ("groups", .value(.number(3))),
        ])
    },
    Case(name: "conv_transpose, same", outline: ["conv_transpose stride [2, 2] padding [0, 0, 1, 1]"]) {
      $0.add(
        "conv_transpose",
        [
          ("x", .name($0.input)), ("weight", $0.weight([3, 3, 3, 3])), ("strides", .value(.list([2, 2]))),
          ("pad_type", .value(.text("same"))),
        ])
    },
    Case(
      name: "conv_transpose, output_shape",
      outline: ["conv_transpose stride [2, 2] padding [1, 1, 0, 0] output_padding [0, 2]"]
    ) {
      $0.add(
        "conv_transpose",
        [
          ("x", .name($0.input)), ("weight", $0.weight([3, 3, 3, 3])), ("strides", .value(.list([2, 2]))),
          ("pad_type", .value(.text("custom"))), ("pad", .value(.list([1, 1, 1, 1]))),
          ("output_shape", .value(.list([1, 3, 24, 22]))),
        ])
    },
    Case(name: "add of two", outline: ["relu", "add"]) {
      let bent = $0.add("relu", [("x", .name($0.input))])
      return $0.add("add", [("x", .name(bent)), ("y", .name($0.input))])
    },
    Case(name: "pixel_shuffle", outline: ["conv", "conv_transpose stride [2, 2]"]) {
      let wide = $0.add("conv", [("x", .name($0.input)), ("weight", $0.weight([12, 3, 1, 1]))])
      return $0.add("pixel_shuffle", [("x", .name(wide)), ("upscale_factor", .value(.number(2)))])
    },
    Case(name: "norm taken apart", outline: ["instance_norm epsilon 0.5"]) {
      decomposedNorm(&$0, axes: [2, 3])
    },
    Case(name: "channels last", outline: ["instance_norm epsilon 0.5"], extents: [1, 12, 10, 3]) {
      decomposedNorm(&$0, axes: [1, 2])
    },
    Case(name: "there and back", outline: ["relu"]) {
      let last = $0.add("transpose", [("x", .name($0.input)), ("perm", .value(.list([0, 2, 3, 1])))])
      let bent = $0.add("relu", [("x", .name(last))])
      let flat = $0.add("squeeze", [("x", .name(bent)), ("axes", .value(.list([0])))])
      let full = $0.add("reshape", [("x", .name(flat)), ("shape", .value(.list([1, 12, 10, 3])))])
      return $0.add("transpose", [("x", .name(full)), ("perm", .value(.list([0, 3, 1, 2])))])
    },
    Case(
      name: "sizes computed from the picture", outline: ["upsample factor [2, 2] mode nearest"],
      extents: [1, 3, nil, nil]
    ) {
      let shape = $0.add("shape", [("x", .name($0.input))])
      let order = $0.add("gather", [("x", .name(shape)), ("indices", .value(.list([0, 3, 2])))])
      let extents = $0.add(
        "slice_by_index",
        [
          ("x", .name(order)), ("begin", .value(.list([1]))), ("end", .value(.list([3]))),
          ("end_mask", .value(.truths([true]))),
        ])
      let turned = $0.add("gather", [("x", .name(extents)), ("indices", .value(.list([-1, -2])))])
      let doubled = $0.add("mul", [("x", .name(turned)), ("y", .value(.list([2, 2])))])
      return $0.add(
        "resize",
        [
          ("x", .name($0.input)), ("shape", .name(doubled)),
          ("resized_dims", .value(.number(2))), ("interpolation_mode", .value(.text("NEAREST_NEIGHBOR"))),
        ])
    },
  ]

  private static func decomposedNorm(_ program: inout SampleProgram, axes: [Int]) -> String {
    func mean(_ program: inout SampleProgram, _ name: String) -> String {
      program.add(
        "reduce_mean",
        [("x", .name(name)), ("axes", .value(.list(axes))), ("keep_dims", .value(.truth(true)))])
    }
    let average = mean(&program, program.input)
    let centered = program.add("sub", [("x", .name(program.input)), ("y", .name(average))])
    let squares = program.add("square", [("x", .name(centered))])
    let variance = mean(&program, squares)
    // The operation's own epsilon is added to it.
    let raised = program.add("add", [("x", .name(variance)), ("y", .value(.number(Float(0.25))))])
    let root = program.add("rsqrt", [("x", .name(raised)), ("epsilon", .value(.number(Float(0.25))))])
    return program.add("mul", [("x", .name(centered)), ("y", .name(root))])
  }

  @Test(arguments: cases) private func becomes(_ sample: Case) throws {
    var program = SampleProgram()
    let output = sample.build(&program)
    #expect(try program.graph(output: output, extents: sample.extents).outline == sample.outline)
  }

  private static let refusals:
    [(name: String, problem: String, build: @Sendable (inout SampleProgram) -> String)] = [
      ("unknown", "is an operation that is not understood", { $0.add("gelu", [("x", .name($0.input))]) }),
      (
        "pad", "pads by 'symmetric'",
        {
          $0.add(
            "pad",
            [
              ("x", .name($0.input)), ("pad", .value(.list([1, 1, 1, 1]))),
              ("mode", .value(.text("symmetric"))),
            ])
        }
      ),
      (
        "corners", "resizes with the sampling mode 'align_corners'",
        {
          $0.add("upsample_bilinear", [("x", .name($0.input)), ("scale_factor_height", .value(.number(2)))])
        }
      ),
      (
        "fraction", "resizes 12 pixels by 1.5",
        {
          $0.add(
            "upsample_nearest_neighbor",
            [("x", .name($0.input)), ("scale_factor_height", .value(.number(Float(1.5))))])
        }
      ),
      ("cycle", "uses 'relu', which is not computed before it", { $0.add("relu", [("x", .name("relu"))]) }),
      (
        "channels", "takes some of the channels only, which is not understood",
        {
          $0.add(
            "slice_by_size",
            [
              ("x", .name($0.input)), ("begin", .value(.list([0, 0, 0, 0]))),
              ("size", .value(.list([1, 1, -1, -1]))),
            ])
        }
      ),
      (
        "plane", "combines a picture with a constant of shape [12, 10]",
        { $0.add("add", [("x", .name($0.input)), ("y", $0.weight([12, 10]))]) }
      ),
      (
        "statistic", "has its axes in an order that is no picture's",
        { $0.add("transpose", [("x", .name($0.input)), ("perm", .value(.list([0, 1, 3, 2])))]) }
      ),
    ]

  @Test(arguments: refusals.indices) func isRefusedByName(_ index: Int) throws {
    let sample = Self.refusals[index]
    var program = SampleProgram()
    let output = sample.build(&program)
    let error = #expect(throws: StyleModelError.self) { try program.graph(output: output) }
    #expect(error?.problem == sample.problem)
    #expect(error?.kind == .badInput)
    #expect(error?.place != nil)
  }
}
