public import Diagnostics
import Glibc
public import ModelGraph
import Tensors

/// The judge of every kernel: each operation computed from its definition, in double precision, one number at a time.
///
/// It shares no code with the runtime. Where the two disagree by more than rounding, the runtime is wrong.
public struct PlainExecutor {
  /// A map of features.
  public struct Map: Hashable, Sendable {
    /// The number of channels.
    public let channels: Int
    /// The number of rows.
    public let height: Int
    /// The number of columns.
    public let width: Int
    /// `[channels, height, width]` in C order.
    public var values: [Double]

    /// Creates a map.
    /// - Precondition: there are as many values as the extents say.
    public init(channels: Int, height: Int, width: Int, values: [Double]) {
      precondition(values.count == channels * height * width)
      self.channels = channels
      self.height = height
      self.width = width
      self.values = values
    }

    init(_ shape: Shape, _ value: (_ channel: Int, _ row: Int, _ column: Int) -> Double) {
      channels = shape[1]
      height = shape[2]
      width = shape[3]
      values = []
      values.reserveCapacity(shape.count)
      for channel in 0..<channels {
        for row in 0..<height {
          for column in 0..<width { values.append(value(channel, row, column)) }
        }
      }
    }

    /// One number.
    public subscript(channel: Int, row: Int, column: Int) -> Double {
      values[(channel * height + row) * width + column]
    }

    /// What lies at a place between pixels, in pixels; outside the map, what lies at its edge.
    func blended(_ channel: Int, _ row: Double, _ column: Double) -> Double {
      func neighbours(_ place: Double, _ extent: Int) -> (lower: Int, upper: Int, weight: Double) {
        let position = min(max(place, 0), Double(extent - 1))
        let lower = position.rounded(.down)
        return (Int(lower), min(Int(lower) + 1, extent - 1), position - lower)
      }
      let y = neighbours(row, height)
      let x = neighbours(column, width)
      func line(_ row: Int) -> Double {
        self[channel, row, x.lower] * (1 - x.weight) + self[channel, row, x.upper] * x.weight
      }
      return line(y.lower) * (1 - y.weight) + line(y.upper) * y.weight
    }

    /// One number, or what `mode` puts in its place outside the map.
    func padded(_ channel: Int, _ row: Int, _ column: Int, _ mode: PaddingMode) -> Double {
      guard let row = Self.index(row, height, mode), let column = Self.index(column, width, mode) else {
        return 0
      }
      return self[channel, row, column]
    }

    static func index(_ index: Int, _ extent: Int, _ mode: PaddingMode) -> Int? {
      if (0..<extent).contains(index) { return index }
      switch mode {
      case .zero: return nil
      case .replicate: return index < 0 ? 0 : extent - 1
      case .reflect: return index < 0 ? -index : 2 * (extent - 1) - index
      }
    }
  }

  private let graph: Graph
  private let style: [Double]

  /// Creates an executor.
  /// - Parameter style: the weight of each style, for a graph that has several.
  public init(_ graph: Graph, style: [Double] = []) {
    self.graph = graph
    self.style = style
  }

  /// The output for an input.
  /// - Throws: `.badInput` when the input's size does not fit the graph.
  public func run(_ input: Map) throws(StyleModelError) -> Map {
    let shapes = try graph.shapes(for: PictureSize(width: input.width, height: input.height))
    var maps = [graph.input.value: input]
    for node in graph.nodes {
      guard let shape = shapes[node.result] else { continue }
      maps[node.result] = try compute(node.operation, shape, maps)
    }
    return try map(graph.output, maps)
  }

  private func map(_ value: ValueID, _ maps: [ValueID: Map]) throws(StyleModelError) -> Map {
    guard let map = maps[value] else { throw StyleModelError(.badInput, "\(value) is no picture") }
    return map
  }

  private func numbers(_ value: ValueID?, count: Int, default standard: Double) -> [Double] {
    value.flatMap { graph.tensor($0)?.floats().map(Double.init) }
      ?? [Double](repeating: standard, count: count)
  }

  private func compute(
    _ operation: Operation, _ shape: Shape, _ maps: [ValueID: Map]
  ) throws(StyleModelError) -> Map {
    switch operation {
    case .convolution(let it): return convolve(try map(it.input, maps), it, shape)
    case .transposedConvolution(let it): return convolve(try map(it.input, maps), it, shape)
    case .pad(let it):
      let input = try map(it.input, maps)
      return Map(shape) { input.padded($0, $1 - it.amounts.top, $2 - it.amounts.left, it.mode) }
    case .crop(let it):
      let input = try map(it.input, maps)
      return Map(shape) { input[$0, $1 + it.amounts.top, $2 + it.amounts.left] }
    case .instanceNorm(let it):
      let input = try map(it.input, maps)
      return normalize(
        input, gamma: numbers(it.gamma, count: input.channels, default: 1),
        beta: numbers(it.beta, count: input.channels, default: 0), epsilon: it.epsilon)
    case .conditionalInstanceNorm(let it):
      let input = try map(it.input, maps)
      guard style.count == graph.styles?.count else {
        throw StyleModelError(.badInput, "wants a style vector of \(graph.styles?.count ?? 0) weights")
      }
      return normalize(
        input, gamma: mixed(it.gamma, channels: input.channels),
        beta: mixed(it.beta, channels: input.channels),
        epsilon: it.epsilon)
    case .batchNorm(let it):
      let input = try map(it.input, maps)
      let mean = numbers(it.mean, count: input.channels, default: 0)
      let variance = numbers(it.variance, count: input.channels, default: 1)
      let gamma = numbers(it.gamma, count: input.channels, default: 1)
      let beta = numbers(it.beta, count: input.channels, default: 0)
      return Map(shape) {
        (input[$0, $1, $2] - mean[$0]) / (variance[$0] + Double(it.epsilon)).squareRoot() * gamma[$0]
          + beta[$0]
      }
    case .activation(let it):
      var result = try map(it.input, maps)
      result.values = result.values.map { Self.activate($0, it.function) }
      return result
    case .binary(let it):
      let left = try map(it.left, maps)
      let right = try map(it.right, maps)
      return Map(shape) {
        switch it.function {
        case .add: left[$0, $1, $2] + right[$0, $1, $2]
        case .subtract: left[$0, $1, $2] - right[$0, $1, $2]
        case .multiply: left[$0, $1, $2] * right[$0, $1, $2]
        }
      }
    case .upsample(let it): return enlarge(try map(it.input, maps), it, shape)
    case .resize(let it): return resample(try map(it.input, maps), it, shape)
    }
  }

  private func convolve(_ input: Map, _ convolution: Convolution, _ shape: Shape) -> Map {
    let kernel = graph.tensor(convolution.weight)?.shape ?? [0, 0, 0, 0]
    let weight = numbers(convolution.weight, count: 0, default: 0)
    let bias = numbers(convolution.bias, count: kernel[0], default: 0)
    let (inputs, height, width) = (kernel[1], kernel[2], kernel[3])
    let padding = convolution.insets(
      picture: [1, input.channels, input.height, input.width], kernel: kernel)
    return Map(shape) { output, row, column in
      let group = output / (kernel[0] / convolution.groups)
      let top = row * convolution.stride.vertical - padding.top
      let left = column * convolution.stride.horizontal - padding.left
      var sum = bias[output]
      for y in 0..<height {
        let place = top + y * convolution.dilation.vertical
        guard let row = Map.index(place, input.height, convolution.paddingMode) else { continue }
        for x in 0..<width {
          let place = left + x * convolution.dilation.horizontal
          guard let column = Map.index(place, input.width, convolution.paddingMode) else { continue }
          for channel in 0..<inputs {
            sum +=
              input.values[((group * inputs + channel) * input.height + row) * input.width + column]
              * weight[((output * inputs + channel) * height + y) * width + x]
          }
        }
      }
      return sum
    }
  }

  /// As the definition says: every input pixel adds its kernel to the output.
  private func convolve(_ input: Map, _ convolution: TransposedConvolution, _ shape: Shape) -> Map {
    let kernel = graph.tensor(convolution.weight)?.shape ?? [0, 0, 0, 0]
    let weight = numbers(convolution.weight, count: 0, default: 0)
    let bias = numbers(convolution.bias, count: shape[1], default: 0)
    var sums = [Double](repeating: 0, count: shape.count)
    for channel in 0..<input.channels {
      let group = channel / (input.channels / convolution.groups)
      for position in 0..<kernel[1] {
        let output = group * kernel[1] + position
        for (row, column) in (0..<input.height).flatMap({ row in (0..<input.width).map { (row, $0) } }) {
          for y in 0..<kernel[2] {
            let target =
              row * convolution.stride.vertical + y * convolution.dilation.vertical - convolution.padding.top
            guard (0..<shape[2]).contains(target) else { continue }
            for x in 0..<kernel[3] {
              let across =
                column * convolution.stride.horizontal + x * convolution.dilation.horizontal
                - convolution.padding.left
              guard (0..<shape[3]).contains(across) else { continue }
              sums[(output * shape[2] + target) * shape[3] + across] +=
                input[channel, row, column]
                * weight[((channel * kernel[1] + position) * kernel[2] + y) * kernel[3] + x]
            }
          }
        }
      }
    }
    return Map(shape) { sums[($0 * shape[2] + $1) * shape[3] + $2] + bias[$0] }
  }

  /// The rows of a table `[styles, channels]`, mixed by the style vector.
  private func mixed(_ table: ValueID, channels: Int) -> [Double] {
    let rows = numbers(table, count: 0, default: 0)
    return (0..<channels).map { channel in
      style.indices.reduce(0) { $0 + style[$1] * rows[$1 * channels + channel] }
    }
  }

  private func normalize(_ input: Map, gamma: [Double], beta: [Double], epsilon: Float) -> Map {
    let area = input.height * input.width
    var result = input
    for channel in 0..<input.channels {
      let range = channel * area..<(channel + 1) * area
      let mean = input.values[range].reduce(0, +) / Double(area)
      let variance = input.values[range].reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(area)
      for index in range {
        result.values[index] =
          (input.values[index] - mean) / (variance + Double(epsilon)).squareRoot() * gamma[channel]
          + beta[channel]
      }
    }
    return result
  }

  private func enlarge(_ input: Map, _ upsample: Upsample, _ shape: Shape) -> Map {
    switch upsample.mode {
    case .nearest:
      return Map(shape) { input[$0, $1 / upsample.factor.vertical, $2 / upsample.factor.horizontal] }
    case .bilinear:
      return Map(shape) { channel, row, column in
        input.blended(
          channel, (Double(row) + 0.5) / Double(upsample.factor.vertical) - 0.5,
          (Double(column) + 0.5) / Double(upsample.factor.horizontal) - 0.5)
      }
    }
  }

  private func resample(_ input: Map, _ resize: Resize, _ shape: Shape) -> Map {
    func position(_ index: Int, _ count: Int, _ extent: Int) -> Double {
      let (i, m, n) = (Double(index), Double(count), Double(extent))
      return switch resize.placement {
      case .start: i * n / m
      case .corners: m == 1 ? 0 : i * (n - 1) / (m - 1)
      case .centers: (i + 0.5) * n / m - 0.5
      }
    }
    return Map(shape) { channel, row, column in
      input.blended(
        channel, position(row, resize.size.vertical, input.height),
        position(column, resize.size.horizontal, input.width))
    }
  }

  private static func activate(_ x: Double, _ function: Activation.Function) -> Double {
    switch function {
    case .relu: x.isNaN ? x : max(x, 0)
    case .leakyReLU(let slope): x < 0 ? x * Double(slope) : x
    case .clamp(let lower, let upper): x.isNaN ? x : min(max(x, Double(lower)), Double(upper))
    case .sigmoid: 1 / (1 + exp(-x))
    case .tanh: Glibc.tanh(x)
    case .linear(let scale, let bias): Double(scale) * x + Double(bias)
    }
  }
}
