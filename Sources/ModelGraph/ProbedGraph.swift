public import Diagnostics
public import Tensors

/// A graph that an importer builds, with the shapes of all its values at a few picture sizes.
///
/// What a file computes from extents can be followed along them, and what must be fixed has to come out the same at each.
/// A size that the network cannot take drops out, but the first.
public struct ProbedGraph: Sendable {
  /// The graph so far.
  public private(set) var graph: Graph
  /// The sizes that are still in use, as indices.
  public private(set) var alive: [Int]
  private var shapes: [[ValueID: Shape]]
  private var names: [String: ValueID] = [:]

  /// Starts with the picture alone.
  /// - Precondition: there is a size, and none of them has an extent of zero.
  public init(_ graph: Graph, sizes: [PictureSize]) {
    self.graph = graph
    alive = Array(sizes.indices)
    shapes = sizes.map { [graph.input.value: Shape([1, graph.input.channels, $0.height, $0.width])] }
  }

  /// How many sizes there were at the start; what is kept a size has as many elements.
  public var count: Int { shapes.count }

  /// The shape of a value at one of the sizes.
  public func shape(_ value: ValueID, at size: Int) throws(StyleModelError) -> Shape {
    guard let shape = shapes[size][value] else {
      throw StyleModelError(.internalFault, "\(value) has no shape")
    }
    return shape
  }

  /// The shape of a value at the first of the sizes that are left.
  public func shape(_ value: ValueID) throws(StyleModelError) -> Shape { try shape(value, at: alive[0]) }

  /// Adds an operation, checked as if it came from a file of ours.
  /// - Throws: `.badInput` when the operation is unsound, or cannot be at the first size.
  public mutating func emit(_ operation: Operation) throws(StyleModelError) -> ValueID {
    var reader = OperationCallReader(operation.call)
    _ = try Operation(&reader)
    var results: [Int: Shape] = [:]
    for size in alive {
      do throws(StyleModelError) {
        results[size] = try operation.resultShape { shapes[size][$0] ?? [] }
      } catch {
        if size == alive[0] { throw error }
      }
    }
    let value = graph.append(operation)
    for (size, shape) in results { shapes[size][value] = shape }
    alive = alive.filter { results[$0] != nil }
    return value
  }

  /// Adds a weight, under its own name where that is free; the same weight under the same name is one.
  public mutating func constant(_ name: String, _ tensor: StoredTensor) -> ValueID {
    var unique = name.isEmpty ? "weight" : name
    var number = 2
    while let known = names[unique] {
      if graph.tensor(known) == tensor { return known }
      unique = "\(name).\(number)"
      number += 1
    }
    let value = graph.addConstant(unique, tensor)
    names[unique] = value
    for size in shapes.indices { shapes[size][value] = tensor.shape }
    return value
  }

  /// Ends the graph, without what its output does not need.
  public func finished(output: ValueID) -> Graph {
    var result = graph
    result.output = output
    result.removeUnused()
    return result
  }
}
