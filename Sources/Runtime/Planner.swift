import CKernels
import Diagnostics
import ModelGraph
import Tensors

/// Turns the nodes of a graph, one after the other, into steps.
///
/// Geometry becomes a view that the next convolution reads through. What works on each number on its own becomes a
/// stage of the step before, wherever that step has computed its input and nobody else wants that input.
struct Planner {
  /// Where a value is to be found.
  private enum Place {
    case buffer(BufferID)
    case view(SamplingView)
  }

  private(set) var steps: [any Step] = []
  private(set) var layouts: [MapLayout] = []
  let input: BufferID
  /// The roundings that were planned, in the graph's order.
  private(set) var roundings: [HalfRounding] = []
  private let graph: Graph
  private let precision: ComputePrecision
  private let shapes: [ValueID: Shape]
  private var places: [ValueID: Place]
  private var uses: [ValueID: Int]

  /// - Parameter observed: values that somebody else looks at: none is overwritten by what is made of it.
  init(
    _ graph: Graph, size: PictureSize, precision: ComputePrecision = .float32, observed: Set<ValueID> = []
  ) throws(StyleModelError) {
    self.graph = graph
    self.precision = precision
    shapes = try graph.shapes(for: size)
    uses = graph.users().mapValues(\.count)
    for value in observed.union([graph.output]) { uses[value, default: 0] += 1 }
    input = BufferID(index: 0)
    places = [graph.input.value: .buffer(input)]
    layouts = [try MapLayout(shapes[graph.input.value] ?? [])]
  }

  /// The zeros that kernels may read.
  var zeroCount: Int { steps.compactMap { ($0 as? any Convolving)?.zeroCount }.max() ?? 0 }

  /// Adds the steps of a node.
  mutating func add(_ node: Graph.Node) throws(StyleModelError) {
    do throws(StyleModelError) {
      switch node.operation {
      case .convolution(let it): try convolve(node.result, it)
      case .transposedConvolution(let it): try convolve(node.result, it)
      case .pad(let it): places[node.result] = .view(try view(it.input).padded(it.amounts, it.mode))
      case .crop(let it): places[node.result] = .view(try view(it.input).cropped(it.amounts))
      case .upsample(let it): try enlarge(node.result, it)
      case .resize(let it): try blend(it.input, to: node.result, it.placement)
      case .instanceNorm(let it): try normalize(node.result, it)
      case .conditionalInstanceNorm: try graph.requireOneStyle()
      case .batchNorm(let it): try normalize(node.result, it)
      case .activation(let it): try activate(node.result, it)
      case .binary(let it): try combine(node.result, it)
      }
      if precision != .float32 { try roundToHalf(node) }
    } catch {
      throw StyleModelError(error.kind, place: graph.line(for: node), error.problem, remedy: error.remedy)
    }
  }

  /// The buffer that holds a value, gathered there now if it is only a view so far.
  mutating func stored(_ value: ValueID) throws(StyleModelError) -> BufferID {
    switch try place(value) {
    case .buffer(let buffer): return buffer
    case .view(let view):
      let source = layouts[view.buffer.index]
      if view.isWhole(source) { return view.buffer }
      let (buffer, layout) = try newBuffer(value)
      steps.append(GatherStep(view: view, sourceLayout: source, output: buffer, layout: layout))
      places[value] = .buffer(buffer)
      return buffer
    }
  }

  private func place(_ value: ValueID) throws(StyleModelError) -> Place {
    guard let place = places[value] else {
      throw StyleModelError(.badInput, "\(value) is used as a picture, but is none")
    }
    return place
  }

  /// How a value is read: through its view, or as it lies in its buffer.
  func view(_ value: ValueID) throws(StyleModelError) -> SamplingView {
    switch try place(value) {
    case .buffer(let buffer): SamplingView(buffer, layouts[buffer.index])
    case .view(let view): view
    }
  }

  /// A buffer for a map of the shape that a value has.
  mutating func newBuffer(_ value: ValueID) throws(StyleModelError) -> (BufferID, MapLayout) {
    try newBuffer(shape: shapes[value] ?? [])
  }

  /// A buffer for a map of this shape.
  mutating func newBuffer(shape: Shape) throws(StyleModelError) -> (BufferID, MapLayout) {
    let layout = try MapLayout(shape)
    layouts.append(layout)
    return (BufferID(index: layouts.count - 1), layout)
  }

  /// The shape of a value.
  func shape(of value: ValueID) -> Shape { shapes[value] ?? [] }

  /// How a value would lie in a buffer of its own.
  func layout(of value: ValueID) throws(StyleModelError) -> MapLayout { try MapLayout(shape(of: value)) }

  /// Adds a step.
  mutating func append(_ step: any Step) { steps.append(step) }

  /// The tensor of a constant.
  func weights(_ value: ValueID) throws(StyleModelError) -> StoredTensor {
    guard let tensor = graph.tensor(value) else {
      throw StyleModelError(.badInput, "\(value) is used as weights, but is no constant")
    }
    return tensor
  }

  private func weights(_ value: ValueID?) throws(StyleModelError) -> StoredTensor? {
    guard let value else { return nil }
    return try weights(value)
  }

  /// The numbers of a constant vector, or as many of the standard one.
  func vector(_ value: ValueID?, count: Int, default standard: Float) throws(StyleModelError)
    -> [Float]
  {
    try weights(value)?.floats() ?? [Float](repeating: standard, count: count)
  }
}

// MARK: - Convolutions and enlargement

extension Planner {
  private mutating func convolve(_ result: ValueID, _ convolution: Convolution) throws(StyleModelError) {
    let weight = try weights(convolution.weight)
    let kernel = ConvolutionKernel(
      node: result, weight: weight, bias: try weights(convolution.bias), isTransposed: false,
      groups: convolution.groups, groupInputs: weight.shape[1],
      groupOutputs: weight.shape[0] / convolution.groups)
    let insets = convolution.insets(picture: shapes[convolution.input] ?? [], kernel: weight.shape)
    let source = try view(convolution.input).padded(insets, convolution.paddingMode)
    try convolve(result, kernel, source) { layout in
      (
        TapTable.convolution(
          reading: source.rows, outputs: layout.height, taps: weight.shape[2],
          stride: convolution.stride.vertical,
          dilation: convolution.dilation.vertical, repeats: source.repeats.vertical),
        TapTable.convolution(
          reading: source.columns, outputs: layout.width, taps: weight.shape[3],
          stride: convolution.stride.horizontal, dilation: convolution.dilation.horizontal,
          repeats: source.repeats.horizontal)
      )
    }
  }

  private mutating func convolve(
    _ result: ValueID, _ convolution: TransposedConvolution
  ) throws(StyleModelError) {
    let weight = try weights(convolution.weight)
    let kernel = ConvolutionKernel(
      node: result, weight: weight, bias: try weights(convolution.bias), isTransposed: true,
      groups: convolution.groups, groupInputs: weight.shape[0] / convolution.groups,
      groupOutputs: weight.shape[1])
    let source = try view(convolution.input)
    try convolve(result, kernel, source) { layout in
      (
        TapTable.transposed(
          reading: source.rows, outputs: layout.height, taps: weight.shape[2],
          stride: convolution.stride.vertical,
          dilation: convolution.dilation.vertical, padding: convolution.padding.top),
        TapTable.transposed(
          reading: source.columns, outputs: layout.width, taps: weight.shape[3],
          stride: convolution.stride.horizontal, dilation: convolution.dilation.horizontal,
          padding: convolution.padding.left)
      )
    }
  }

  private mutating func convolve(
    _ result: ValueID, _ kernel: ConvolutionKernel, _ source: SamplingView,
    tables: (MapLayout) -> (rows: [TapTable], columns: [TapTable])
  ) throws(StyleModelError) {
    let (buffer, layout) = try newBuffer(result)
    let (rows, columns) = tables(layout)
    convolve(
      kernel, from: source.buffer, layouts[source.buffer.index], to: buffer, layout, rows: rows,
      columns: columns)
    places[result] = .buffer(buffer)
  }

  /// Adds the step of a convolution, by the algorithm that suits it.
  mutating func convolve(
    _ kernel: ConvolutionKernel, from source: BufferID, _ sourceLayout: MapLayout, to output: BufferID,
    _ layout: MapLayout, rows: [TapTable], columns: [TapTable]
  ) {
    // What is to be rounded to half precision is summed directly: a transformed sum may round the other way.
    let isTransformed = precision == .float32
    if isTransformed,
      let step = WinogradStep(
        kernel, source: source, sourceLayout, output: output, layout, rows: rows, columns: columns)
    {
      steps.append(step)
    } else if isTransformed,
      let step = NestedWinogradStep(
        kernel, source: source, sourceLayout, output: output, layout, rows: rows, columns: columns)
    {
      steps.append(step)
    } else {
      steps.append(
        ConvolutionStep(
          kernel, source: source, sourceLayout, output: output, layout, rows: rows, columns: columns))
    }
  }

  private mutating func enlarge(_ result: ValueID, _ upsample: Upsample) throws(StyleModelError) {
    switch upsample.mode {
    case .nearest: places[result] = .view(try view(upsample.input).enlarged(upsample.factor))
    case .bilinear:
      try blend(upsample.input, to: result, .centers)
    }
  }

  private mutating func blend(
    _ value: ValueID, to result: ValueID, _ placement: Resize.Placement
  ) throws(StyleModelError) {
    let source = try stored(value)
    let (buffer, layout) = try newBuffer(result)
    steps.append(BlendStep(source: source, layouts[source.index], output: buffer, layout, placement))
    places[result] = .buffer(buffer)
  }
}

// MARK: - What works on each number on its own

extension Planner {
  /// Makes `result` by a stage on `value`: in the step that has just computed it, or else in a step of its own.
  private mutating func append(
    _ stage: Stage, to value: ValueID, result: ValueID, live: LiveNormalization? = nil
  ) throws(StyleModelError) {
    let buffer = try stored(value)
    // A view that happens to show a whole buffer is no owner of it.
    let owns = if case .buffer = try place(value) { buffer != input } else { false }
    let isLastUse = owns && uses[value] == 1 && stage.other != buffer
    if isLastUse, live == nil, let last = steps.indices.last, steps[last].takesStages,
      steps[last].output == buffer
    {
      steps[last].stages.append(stage)
      places[result] = .buffer(buffer)
      return
    }
    var target = buffer
    let layout = layouts[buffer.index]
    if !isLastUse { target = try newBuffer(result).0 }
    steps.append(PointwiseStep(source: buffer, output: target, layout: layout, live: live, stages: [stage]))
    places[result] = .buffer(target)
  }

  private mutating func normalize(_ result: ValueID, _ norm: InstanceNorm) throws(StyleModelError) {
    let buffer = try stored(norm.input)
    let layout = layouts[buffer.index]
    if precision == .float16(statistics: .float16) {
      let layer = graph.layerName(of: result)
      let sums = HalfRounding(layer: layer, what: .sum, channels: layout.channels)
      let squares = HalfRounding(layer: layer, what: .sumOfSquares, channels: layout.channels)
      roundings += [sums, squares]
      steps.append(HalfMeasureStep(output: buffer, layout: layout, sums: sums, squares: squares))
    } else if precision == .float32, let last = steps.indices.last,
      var step = steps[last] as? any Convolving, step.output == buffer
    {
      step.measures = true
      steps[last] = step
    } else {
      steps.append(MeasureStep(output: buffer, layout: layout))
    }
    let live = LiveNormalization(
      gamma: try vector(norm.gamma, count: layout.channels, default: 1),
      beta: try vector(norm.beta, count: layout.channels, default: 0), epsilon: Double(norm.epsilon),
      coefficients: try ChannelCoefficients(layout))
    try append(.normalize(live.coefficients), to: norm.input, result: result, live: live)
  }

  private mutating func normalize(_ result: ValueID, _ norm: BatchNorm) throws(StyleModelError) {
    let layout = try MapLayout(shapes[norm.input] ?? [])
    let gamma = try vector(norm.gamma, count: layout.channels, default: 1)
    let beta = try vector(norm.beta, count: layout.channels, default: 0)
    let mean = try vector(norm.mean, count: layout.channels, default: 0)
    let variance = try vector(norm.variance, count: layout.channels, default: 1)
    let coefficients = try ChannelCoefficients(layout)
    for channel in 0..<layout.channels {
      let deviation = (Double(variance[channel]) + Double(norm.epsilon)).squareRoot()
      coefficients.set(
        channel, mean: Double(mean[channel]), factor: Double(gamma[channel]) / deviation,
        summand: Double(beta[channel]))
    }
    try append(.normalize(coefficients), to: norm.input, result: result)
  }

  private mutating func activate(_ result: ValueID, _ activation: Activation) throws(StyleModelError) {
    var stage: Stage?
    if let kernel = activation.function.kernel { stage = .activate(kernel) }
    if case .linear(let scale, let bias) = activation.function {
      let coefficients = try ChannelCoefficients(MapLayout(shapes[activation.input] ?? []))
      for channel in 0..<(shapes[activation.input]?[1] ?? 0) {
        coefficients.set(channel, mean: 0, factor: Double(scale), summand: Double(bias))
      }
      stage = .normalize(coefficients)
    }
    if let stage { try append(stage, to: activation.input, result: result) }
  }

  private mutating func combine(_ result: ValueID, _ binary: Binary) throws(StyleModelError) {
    let function =
      switch binary.function {
      case .add: CK_COMBINATION_ADD
      case .subtract: CK_COMBINATION_SUBTRACT
      case .multiply: CK_COMBINATION_MULTIPLY
      }
    let left = try stored(binary.left)
    let right = try stored(binary.right)
    // The stage goes to the operand that was computed last: its step can still take it.
    if steps.last?.output == right, left != right {
      try append(.combine(function, other: left, otherFirst: true), to: binary.right, result: result)
    } else {
      try append(.combine(function, other: right, otherFirst: false), to: binary.left, result: result)
    }
  }
}

extension Activation.Function {
  /// The kernel of the function; nil for the linear one, which goes by coefficients.
  var kernel: ck_activation? {
    switch self {
    case .relu: ck_activation(kind: CK_ACTIVATION_CLAMP, a: 0, b: .infinity)
    case .leakyReLU(let slope): ck_activation(kind: CK_ACTIVATION_LEAKY, a: slope, b: 0)
    case .clamp(let lower, let upper): ck_activation(kind: CK_ACTIVATION_CLAMP, a: lower, b: upper)
    case .sigmoid: ck_activation(kind: CK_ACTIVATION_SIGMOID, a: 0, b: 0)
    case .tanh: ck_activation(kind: CK_ACTIVATION_TANH, a: 0, b: 0)
    case .linear: nil
    }
  }
}

// MARK: - Half precision

extension Planner {
  /// Rounds what a node has computed. Geometry computes nothing: its values are rounded already.
  private mutating func roundToHalf(_ node: Graph.Node) throws(StyleModelError) {
    guard case .buffer(let buffer) = try place(node.result) else { return }
    let layout = layouts[buffer.index]
    let rounding = HalfRounding(
      layer: graph.layerName(of: node.result), what: .result, channels: layout.channels)
    roundings.append(rounding)
    if let last = steps.indices.last, steps[last].takesStages, steps[last].output == buffer {
      steps[last].stages.append(.roundToHalf(rounding))
    } else {
      steps.append(
        PointwiseStep(source: buffer, output: buffer, layout: layout, stages: [.roundToHalf(rounding)]))
    }
  }
}
