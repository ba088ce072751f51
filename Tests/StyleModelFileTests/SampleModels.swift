import Diagnostics
import ModelGraph
import Tensors
import TestSupport

@testable import StyleModelFile

/// Every encoding that a tensor can have whose shape has an axis 0 and an axis 1.
let allEncodings: [Encoding] =
  ElementType.allCases.map { .plain($0) }
  + (2...8).flatMap { bits in
    [nil, 0, 1].flatMap { axis in
      [(true, false), (false, true), (false, false), (true, true)].map { isSigned, hasOffsets in
        let count = axis == nil ? 1 : 3
        return .affine(
          AffineEncoding(
            bits: bits, isSigned: isSigned, axis: axis,
            scales: (0..<count).map { Float($0 + 1) * 0.013 },
            offsets: hasOffsets ? (0..<count).map { Float($0) * 0.7 - 1.1 } : []))
      }
    }
  }

/// A tensor of seeded bits in an encoding; floats are made finite.
func seededTensor(
  _ shape: Shape, _ encoding: Encoding, _ random: inout SeededRandom
) throws -> StoredTensor {
  let count = shape.count
  switch encoding {
  case .affine(let affine):
    let integers = (0..<count).map { _ in Int.random(in: 0..<256, using: &random) }
    return try StoredTensor(
      shape: shape, encoding: encoding, bytes: packIntegers(integers, bits: affine.bits))
  case .palette(let palette):
    let places = (0..<count).map { _ in Int.random(in: 0..<256, using: &random) }
    return try StoredTensor(
      shape: shape, encoding: encoding, bytes: packIntegers(places, bits: palette.bits))
  case .plain(let type):
    var bytes = (0..<(count * type.byteCount)).map { _ in UInt8.random(in: 0...255, using: &random) }
    // Clearing the second highest bit of the sign's byte keeps exponents from being all ones.
    for index in stride(from: type.byteCount - 1, to: bytes.count, by: type.byteCount) {
      bytes[index] &= type == .bool ? 1 : 0xbf
    }
    return try StoredTensor(shape: shape, encoding: encoding, bytes: bytes)
  }
}

/// A chain of convolutions with one weight in each encoding.
func modelOfAllEncodings() throws -> StyleModel {
  var random = SeededRandom(seed: 21)
  var graph = Graph(contract: PixelPreset.imagenet.contract)
  var value = graph.input.value
  for (index, encoding) in allEncodings.enumerated() {
    let weight = graph.addConstant(
      "weight \(index) \(encoding)", try seededTensor([3, 3, 3, 1], encoding, &random))
    value = graph.append(
      .convolution(
        Convolution(
          input: value, weight: weight, padding: Insets(top: 1, left: 0, bottom: 1, right: 0))))
  }
  return StyleModel(graph: graph, provenance: sampleProvenance)
}

/// A model with palettes of every width, for a tensor and for parts of an axis.
func modelOfPalettes() throws -> StyleModel {
  var random = SeededRandom(seed: 23)
  var graph = Graph(contract: PixelPreset.imagenet.contract)
  var value = graph.input.value
  for bits in PaletteEncoding.widths {
    for (axis, count) in [(nil, 1), (0, 3), (0, 1), (1, 3)] as [(Int?, Int)] {
      let tables = (0..<count).map { _ in random.floats(1 << bits).sorted() }
      let encoding = Encoding.palette(PaletteEncoding(bits: bits, axis: axis, tables: tables))
      let weight = graph.addConstant(
        "weight \(bits) \(encoding)",
        try seededTensor([3, 3, 3, 1], encoding, &random))
      value = graph.append(
        .convolution(
          Convolution(input: value, weight: weight, padding: Insets(top: 1, left: 0, bottom: 1, right: 0))))
    }
  }
  return StyleModel(graph: graph, provenance: sampleProvenance)
}

let sampleProvenance = Provenance(
  sourceName: "mösäïk.pth", sourceByteCount: 255, sourceSHA256: Array(0..<32),
  options: ["--int8", "--keep", "first,last"],
  tool: "stylemodel 0.1", recipe: "jasonyen1009")

/// A model that uses every operation, in every form, once at least.
func modelOfAllOperations(
  sizes: PixelContract.Sizes = .listed([
    PictureSize(width: 64, height: 96), PictureSize(width: 96, height: 64),
  ])
) throws -> StyleModel {
  var random = SeededRandom(seed: 22)
  var tensors: [String: StoredTensor] = [:]
  for (name, shape) in [
    ("a.weight", [8, 3, 3, 3]), ("a.bias", [8]), ("norm.gamma", [8]), ("norm.beta", [8]), ("mean", [8]),
    ("variance", [8]), ("gamma", [8]), ("beta", [8]), ("up.weight", [8, 4, 3, 3]), ("up.bias", [8]),
    ("deep.weight", [8, 1, 3, 3]), ("out.weight", [3, 8, 3, 3]),
  ] {
    tensors[name] = try seededTensor(Shape(shape), .plain(.float32), &random)
  }
  let text = """
    graph {
      pixels(order: bgr, input_scale: [0.1, 0.2, 0.3], input_bias: [-1, 0, 1], output_scale: [2, 3, 4],
        output_bias: [5, 6, 7], rounding: truncate)
      input %x "picture in"
      %a = pad(%x, amounts: [4, 3, 2, 1], mode: reflect)
      %b = conv(%a, weight: @"a.weight", bias: @"a.bias", stride: [2, 1], padding: [1, 1, 1, 1], padding_mode: replicate)
      %c = instance_norm(%b, gamma: @"norm.gamma", beta: @"norm.beta", epsilon: 1e-5)
      %d = relu(%c)
      %e = leaky_relu(%d, slope: 0.2)
      %f = clamp(%e, lower: 0, upper: 6)
      %g = batch_norm(%f, mean: @"mean", variance: @"variance", gamma: @"gamma", beta: @"beta", epsilon: 0.001)
      %h = sigmoid(%g)
      %i = tanh(%h)
      %j = linear(%i, scale: 150, bias: 127.5)
      %k = conv_transpose(%j, weight: @"up.weight", bias: @"up.bias", stride: [2, 2], padding: [1, 1, 1, 1], output_padding: [1, 1], groups: 2)
      %l = conv(%k, weight: @"deep.weight", dilation: [2, 2], groups: 8)
      %m = add(%l, %l)
      %n = sub(%m, %l)
      %o = mul(%n, %l)
      %p = upsample(%o, factor: [2, 3], mode: bilinear)
      %q = crop(%p, amounts: [1, 2, 3, 4])
      %r = conv(%q, weight: @"out.weight")
      %s = instance_norm(%r, epsilon: 0.5)
      output %s
    }
    """
  var graph = try Graph(text: text, constants: tensors)
  graph.contract.sizes = sizes
  return StyleModel(graph: graph, provenance: sampleProvenance)
}

/// A network of three styles.
func modelOfStyles(names: [String] = ["wave", "scream", "night"]) throws -> StyleModel {
  var random = SeededRandom(seed: 24)
  var graph = Graph(contract: PixelPreset.unit.contract)
  graph.styles = StyleSet(inputName: "index", count: 3, names: names)
  let gamma = graph.addConstant("gamma", try seededTensor([3, 3], .plain(.float32), &random))
  let beta = graph.addConstant("beta", try seededTensor([3, 3], .plain(.float16), &random))
  graph.append(
    .conditionalInstanceNorm(ConditionalInstanceNorm(input: graph.input.value, gamma: gamma, beta: beta)))
  return StyleModel(graph: graph, provenance: sampleProvenance)
}

/// A chain of convolutions whose weights are worth coding: spread in every way, in several shapes.
func modelOfCodedWeights() throws -> StyleModel {
  var graph = Graph(contract: PixelPreset.imagenet.contract)
  var value = graph.input.value
  for (index, spread) in Spread.allCases.enumerated() {
    let weight = graph.addConstant(
      "weight \(spread)", try tensor([3, 3, 5, 5], axis: index % 2, spread, hasOffsets: index % 3 == 0))
    value = graph.append(
      .convolution(
        Convolution(input: value, weight: weight, padding: Insets(top: 2, left: 2, bottom: 2, right: 2))))
  }
  return StyleModel(graph: graph, provenance: sampleProvenance)
}

/// The smallest model worth damaging: one convolution with a bias.
func smallModel() throws -> StyleModel {
  var random = SeededRandom(seed: 23)
  var graph = Graph(contract: PixelPreset.unit.contract)
  let encoding = Encoding.affine(AffineEncoding(bits: 4, isSigned: true, axis: 0, scales: [1, 2, 3]))
  let weight = graph.addConstant("w", try seededTensor([3, 3, 1, 1], encoding, &random))
  let bias = graph.addConstant("b", StoredTensor(shape: [3], floats: [0, 0, 0]))
  graph.append(.convolution(Convolution(input: graph.input.value, weight: weight, bias: bias)))
  return StyleModel(graph: graph, provenance: sampleProvenance)
}

/// The file of the smallest model with its header or payloads changed, checksums made good again.
func crafted(_ edit: (inout FileHeader, inout [[UInt8]]) throws -> Void) throws -> [UInt8] {
  let bytes = try encodeStyleModel(smallModel())
  let layout = try FileLayout(bytes, checksums: .verify)
  var header = layout.header
  var payloads = layout.payloads.map { Array(bytes[$0]) }
  try edit(&header, &payloads)
  return assemble(
    header: header.protobuf, payloads, features: header.requiredFeatures)
}

/// A file with its header stored raw, as a writer may, so that single bytes of it can be reached.
func withRawHeader(_ bytes: [UInt8]) throws -> [UInt8] {
  let layout = try FileLayout(bytes, checksums: .verify)
  return assemble(
    header: layout.header.protobuf, layout.payloads.map { Array(bytes[$0]) },
    features: layout.header.requiredFeatures, compressesHeader: false)
}

/// The operations of a graph with values named by what they are, so that graphs can be compared whose values are
/// numbered differently.
func operations(_ graph: Graph) -> [OperationCall] {
  var numbers: [ValueID: ValueID] = [graph.input.value: ValueID(0)]
  for node in graph.nodes { numbers[node.result] = ValueID(numbers.count) }
  for item in graph.constantsInOrder { numbers[item.value] = ValueID(numbers.count) }
  return graph.nodes.map { node in
    var call = node.operation.call
    for index in call.operands.indices {
      call.operands[index].value = numbers[call.operands[index].value] ?? ValueID(-1)
    }
    return call
  }
}
