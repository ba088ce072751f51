import Diagnostics
import ModelGraph
import Tensors

/// The graph that is being built, with the shapes of all its values at a few picture sizes.
///
/// Files compute paddings, scales and shapes from the sizes that flow. They are computed along here, for each of these
/// sizes; what must be fixed, a padding or a factor, has to come out the same for all. One size is odd, so that what
/// holds only for multiples of the strides is found out. A size that the network cannot take drops out, but the first.
struct Probes {
  private(set) var graph: Graph
  /// The sizes that are still in use, as indices.
  private(set) var alive: [Int]
  private var shapes: [[ValueID: Shape]]
  private var names: [String: ValueID] = [:]

  /// The sizes for a file whose input has these extents; nil varies.
  static func sizes(height: Int?, width: Int?) -> [PictureSize] {
    let usual = [(320, 256), (192, 224), (131, 97)].map {
      PictureSize(width: width ?? $0.0, height: height ?? $0.1)
    }
    return height != nil && width != nil ? [usual[0]] : usual
  }

  init(_ graph: Graph, sizes: [PictureSize]) {
    self.graph = graph
    alive = Array(sizes.indices)
    shapes = sizes.map { [graph.input.value: Shape([1, graph.input.channels, $0.height, $0.width])] }
  }

  /// How many sizes there were at the start; what is kept a size has as many elements.
  var count: Int { shapes.count }

  /// The extents of a value.
  func extents(_ value: ValueID, _ probe: Int) throws(StyleModelError) -> Arrangement.Picture {
    guard let shape = shapes[probe][value], shape.rank == 4 else {
      throw StyleModelError(.internalFault, "\(value) has no shape")
    }
    return Arrangement.Picture(channels: shape[1], height: shape[2], width: shape[3])
  }

  /// The number of channels of a value.
  func channels(_ value: ValueID) throws(StyleModelError) -> Int { try extents(value, alive[0]).channels }

  /// Adds an operation, checked as if it came from a file of ours.
  mutating func emit(_ operation: Operation) throws(StyleModelError) -> ValueID {
    var reader = OperationCallReader(operation.call)
    _ = try Operation(&reader)
    var results: [Int: Shape] = [:]
    for probe in alive {
      do throws(StyleModelError) {
        results[probe] = try operation.resultShape { shapes[probe][$0] ?? [] }
      } catch {
        if probe == alive[0] { throw error }
      }
    }
    let value = graph.append(operation)
    for (probe, shape) in results { shapes[probe][value] = shape }
    alive = alive.filter { results[$0] != nil }
    return value
  }

  /// Adds a weight, under its own name where that is free.
  mutating func constant(_ name: String, _ tensor: StoredTensor) -> ValueID {
    var unique = name.isEmpty ? "weight" : name
    var number = 2
    while let known = names[unique] {
      if graph.tensor(known) == tensor { return known }
      unique = "\(name).\(number)"
      number += 1
    }
    let value = graph.addConstant(unique, tensor)
    names[unique] = value
    for probe in shapes.indices { shapes[probe][value] = tensor.shape }
    return value
  }

  /// Ends the graph.
  func finished(output: ValueID) -> Graph {
    var result = graph
    result.output = output
    result.removeUnused()
    return result
  }
}
