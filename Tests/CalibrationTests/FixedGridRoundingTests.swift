import ModelGraph
import Quantization
import Tensors
import Testing

@testable import Calibration

@Suite struct FixedGridRoundingTests {
  @Test(arguments: CompensatedRoundingTests.layers.indices, [2, 3, 4, 6, 8])
  func staysInTheFormAndBeatsNearest(_ index: Int, bits: Int) throws {
    let layer = CompensatedRoundingTests.layers[index].layer
    let rounding = try CompensatedRounding(layer.graph, statistics: layer.statistics, threads: 2)
    for isAffine in [false, true] {
      for axis in [nil, layer.layout.axis] {
        let form = IntegerForm(bits: bits, isAffine: isAffine, axis: axis)
        let tensor = try #require(try rounding.rounded(layer.weight, form: form))
        #expect(form.isForm(of: tensor.encoding))
        let integers = try #require(tensor.quantizedIntegers())
        let bounds = isAffine ? 0...form.steps : -form.steps...form.steps
        #expect(integers.allSatisfy(bounds.contains))

        let (graph, _) = try quantized(
          layer.graphUsingTheWeight,
          options: QuantizationOptions(
            storage: .integers(bits: bits), isAffine: isAffine, isPerTensor: axis == nil))
        guard let nearest = graph.tensor(layer.weight), form.isForm(of: nearest.encoding) else { continue }
        let (compensated, plain) = (layer.loss(tensor.floats()), layer.loss(nearest.floats()))
        #expect(compensated < plain, "\(form): \(compensated), and \(plain) rounded to nearest")
      }
    }
  }

  @Test func knowsNothingOfOtherTensors() throws {
    let layer = CompensatedRoundingTests.layers[1].layer
    let rounding = try CompensatedRounding(layer.graph, statistics: layer.statistics)
    let form = IntegerForm(bits: 8, isAffine: false, axis: 0)
    #expect(try rounding.rounded(ValueID(77), form: form) == nil)
    #expect(try rounding.rounded(layer.weight, form: IntegerForm(bits: 8, isAffine: false, axis: 1)) == nil)
  }
}

extension SampleLayer {
  /// The graph with an operation that uses the weight: what nothing uses is no convolution's.
  fileprivate var graphUsingTheWeight: Graph {
    var graph = graph
    if layout.isTransposed {
      graph.append(
        .transposedConvolution(
          TransposedConvolution(input: graph.input.value, weight: weight, groups: layout.groups)))
    } else {
      graph.append(.convolution(Convolution(input: graph.input.value, weight: weight, groups: layout.groups)))
    }
    return graph
  }
}
