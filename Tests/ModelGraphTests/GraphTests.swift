import Diagnostics
import Tensors
import Testing

@testable import ModelGraph

@Suite struct GraphTests {
  private func chain() -> (Graph, [ValueID]) {
    var graph = Graph(contract: PixelPreset.unit.contract)
    let weight = graph.addConstant(
      "w", StoredTensor(shape: [3, 3, 1, 1], floats: [Float](repeating: 1, count: 9)))
    let first = graph.append(.convolution(Convolution(input: graph.input.value, weight: weight)))
    let second = graph.append(.activation(Activation(input: first, function: .relu)))
    let third = graph.append(.binary(Binary(.add, first, second)))
    return (graph, [first, second, third])
  }

  @Test func knowsUsersAndDropsWhatNobodyUses() throws {
    var (graph, values) = chain()
    #expect(graph.users()[values[0]] == [1, 2])
    for index in graph.nodes.indices {
      graph.nodes[index].operation.mapOperands { $0 == values[1] ? values[0] : $0 }
    }
    #expect(graph.nodes[2].operation.operands == [values[0], values[0]])
    graph.removeUnused()
    #expect(graph.nodes.map(\.result) == [values[0], values[2]])
    try graph.verify()
  }

  @Test func dropsUnusedConstants() {
    var (graph, values) = chain()
    _ = graph.addConstant("idle", StoredTensor(shape: [1], floats: [0]))
    graph.output = values[0]
    graph.removeUnused()
    #expect(graph.constants.values.map(\.name) == ["w"])
    #expect(graph.nodes.count == 1)
  }

  @Test func verifierFindsUseBeforeAssignment() {
    var (graph, _) = chain()
    graph.nodes.swapAt(0, 1)
    #expect(throws: StyleModelError.self) { try graph.verify() }
  }

  @Test func verifierFindsASecondAssignment() {
    var (graph, values) = chain()
    graph.nodes.append(Graph.Node(result: values[0], operation: graph.nodes[0].operation))
    #expect(throws: StyleModelError.self) { try graph.verify() }
  }

  @Test func verifierRefusesNonFiniteContracts() {
    var (graph, _) = chain()
    graph.contract.inputScale[1] = .nan
    #expect(throws: StyleModelError.self) { try graph.verify() }
  }

  @Test func presetsInvertThemselves() {
    for preset in PixelPreset.allCases {
      let contract = preset.contract
      for channel in 0..<3 {
        for pixel in [Float(0), 128, 255] {
          let inside = pixel * contract.inputScale[channel] + contract.inputBias[channel]
          let back = inside * contract.outputScale[channel] + contract.outputBias[channel]
          #expect(abs(back - pixel) < 1e-4)
        }
      }
      #expect(contract.summary.hasPrefix(preset.rawValue))
    }
  }

  @Test func sampleSizesAreAllowed() {
    var (graph, _) = chain()
    for sizes: PixelContract.Sizes in [
      .any, .listed([PictureSize(width: 640, height: 960)]),
      .range(width: ClosedSizeRange(lower: 300, upper: nil), height: ClosedSizeRange(lower: 1, upper: 100)),
    ] {
      graph.contract.sizes = sizes
      #expect(sizes.allow(graph.sampleSize))
    }
    #expect(!PixelContract.Sizes.listed([PictureSize(width: 640, height: 960)]).allow(Graph.probeSize))
  }
}
