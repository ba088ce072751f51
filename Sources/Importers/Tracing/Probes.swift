package import Diagnostics
package import ModelGraph
package import Tensors

/// The graph that is being built, with the shapes of all its values at a few picture sizes.
///
/// Files compute paddings, scales and shapes from the sizes that flow. They are computed along here, for each of these
/// sizes; what must be fixed, a padding or a factor, has to come out the same for all. One size is odd, so that what
/// holds only for multiples of the strides is found out. A size that the network cannot take drops out, but the first.
package struct Probes {
  package private(set) var graph: Graph
  /// The sizes that are still in use, as indices.
  package private(set) var alive: [Int]
  private var shapes: [[ValueID: Shape]]
  private var names: [String: ValueID] = [:]
  /// Values that the file cuts to the picture's size, with what is computed from them.
  private var trimmed: Set<ValueID> = []

  /// The sizes for a file whose input has these extents; nil varies.
  package static func sizes(height: Int?, width: Int?) -> [PictureSize] {
    let usual = [(320, 256), (192, 224), (131, 97)].map {
      PictureSize(width: width ?? $0.0, height: height ?? $0.1)
    }
    return height != nil && width != nil ? [usual[0]] : usual
  }

  package init(_ graph: Graph, sizes: [PictureSize]) {
    self.graph = graph
    alive = Array(sizes.indices)
    shapes = sizes.map { [graph.input.value: Shape([1, graph.input.channels, $0.height, $0.width])] }
  }

  /// How many sizes there were at the start; what is kept a size has as many elements.
  package var count: Int { shapes.count }

  /// The extents of a value.
  package func extents(_ value: ValueID, _ probe: Int) throws(StyleModelError) -> Arrangement.Picture {
    guard let shape = shapes[probe][value], shape.rank == 4 else {
      throw StyleModelError(.internalFault, "\(value) has no shape")
    }
    return Arrangement.Picture(channels: shape[1], height: shape[2], width: shape[3])
  }

  /// The number of channels of a value.
  package func channels(_ value: ValueID) throws(StyleModelError) -> Int {
    try extents(value, alive[0]).channels
  }

  /// Adds an operation, checked as if it came from a file of ours.
  package mutating func emit(_ operation: Operation) throws(StyleModelError) -> ValueID {
    var reader = OperationCallReader(operation.call)
    _ = try Operation(&reader)
    let isTrimmed = operation.operands.contains(where: trimmed.contains)
    if isTrimmed {
      switch operation {
      case .activation, .batchNorm: break
      default:
        throw StyleModelError(
          .badInput, "works on what was cut to the picture's size before",
          remedy: "cutting to the picture's size is understood at the end of a network only")
      }
    }
    var results: [Int: Shape] = [:]
    for probe in alive {
      do throws(StyleModelError) {
        results[probe] = try operation.resultShape { shapes[probe][$0] ?? [] }
      } catch {
        if probe == alive[0] { throw error }
      }
    }
    let value = graph.append(operation)
    if isTrimmed { trimmed.insert(value) }
    for (probe, shape) in results { shapes[probe][value] = shape }
    alive = alive.filter { results[$0] != nil }
    return value
  }

  /// The operation that makes a value.
  package func definition(of value: ValueID) -> Operation? {
    graph.nodes.last { $0.result == value }?.operation
  }

  /// Takes note that the file cuts a value at the bottom and the right to the picture's size, if that is what is shown
  /// of it anyway.
  /// - Parameter left: the height and width that are left, for each size in use.
  /// - Returns: whether it is.
  package mutating func trim(_ value: ValueID, to left: [(height: Int, width: Int)]) throws(StyleModelError)
    -> Bool
  {
    var ending = graph
    ending.output = value
    for (probe, left) in zip(alive, left) {
      guard let picture = shapes[probe][graph.input.value] else { return false }
      let size = PictureSize(width: picture[3], height: picture[2])
      let whole = try extents(value, probe)
      let shown = ending.trimmedSize(PictureSize(width: whole.width, height: whole.height), for: size)
      // One axis may be cut by this node and the other by the next.
      guard shown == size, [size.width, whole.width].contains(left.width),
        [size.height, whole.height].contains(left.height)
      else { return false }
    }
    trimmed.insert(value)
    return true
  }

  /// Adds a weight, under its own name where that is free.
  package mutating func constant(_ name: String, _ tensor: StoredTensor) -> ValueID {
    var unique = name
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
  package func finished(output: ValueID) -> Graph {
    var result = graph
    result.output = output
    result.removeUnused()
    return result
  }
}
