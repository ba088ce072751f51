import CKernels
import Diagnostics
import ModelGraph
import Tensors

/// A graph made ready for one picture size, forwards and back: all of the steps forwards come first, and what they leave
/// behind stays, so that the steps back can be run many times.
struct GradientPlan {
  let plan: Plan
  /// How many of the steps go forwards.
  let forwardCount: Int
  /// Where the gradient of the network's output is put before the steps back.
  let outputGradient: BufferID
  /// Where the gradient of its input is then found, if it was wanted.
  let inputGradient: BufferID?
  /// The convolutions, each with the number of steps after which the gradient of its result is there.
  let traces: [(afterSteps: Int, trace: ConvolutionTrace.Place)]

  /// Makes a plan.
  /// - Parameter wantsInput: whether the gradient of the input is computed too; without it the steps back end at the
  ///   first convolution.
  /// - Throws: `.badInput` when the network cannot take the size.
  init(_ graph: Graph, size: PictureSize, wantsInput: Bool = false) throws(StyleModelError) {
    let values = Set(graph.nodes.map(\.result))
    var planner = try Planner(graph, size: size, observed: values)
    for node in graph.nodes { try planner.add(node) }
    let output = try planner.stored(graph.output)
    forwardCount = planner.steps.count
    var back = try GradientPlanner(planner, graph, wantsInput: wantsInput)
    outputGradient = try back.begin()
    for node in graph.nodes.reversed() { try back.add(node) }
    traces = back.traces
    inputGradient = back.gradients[graph.input.value]
    // What is read on the way back must still be there for the next gradient.
    var kept = Set(back.traces.map(\.trace.input)).union([output])
    for step in back.planner.steps[forwardCount...] {
      kept.formUnion(step.reads.filter { $0.index < back.firstGradient })
    }
    var extended = kept.map { ($0, back.planner.steps.count) }
    extended += back.traces.map { ($0.trace.gradient, $0.afterSteps) }
    extended.append((outputGradient, forwardCount))
    if let inputGradient { extended.append((inputGradient, back.planner.steps.count)) }
    plan = Plan(back.planner, output: output, extended: extended)
  }
}

/// Adds the steps back, from the last node to the first.
struct GradientPlanner {
  private(set) var planner: Planner
  private(set) var gradients: [ValueID: BufferID] = [:]
  private(set) var traces: [(afterSteps: Int, trace: ConvolutionTrace.Place)] = []
  /// The number of buffers that were there before.
  let firstGradient: Int
  private let graph: Graph
  /// The values that depend on a convolution's weights, or on the input where its gradient is wanted.
  private var wanted: Set<ValueID> = []
  /// Names for the kernels of the way back, which are packed apart from those forwards.
  private var names: Graph

  init(_ planner: Planner, _ graph: Graph, wantsInput: Bool) throws(StyleModelError) {
    self.planner = planner
    self.graph = graph
    names = graph
    firstGradient = planner.layouts.count
    if wantsInput { wanted.insert(graph.input.value) }
    for node in graph.nodes {
      switch node.operation {
      case .convolution, .transposedConvolution: wanted.insert(node.result)
      default:
        if node.operation.operands.contains(where: wanted.contains) { wanted.insert(node.result) }
      }
    }
  }

  /// Makes the place of the output's gradient.
  mutating func begin() throws(StyleModelError) -> BufferID {
    let buffer = try planner.newBuffer(graph.output).0
    gradients[graph.output] = buffer
    return buffer
  }

  /// Adds the steps from the gradient of a node's result to those of what it was computed from.
  mutating func add(_ node: Graph.Node) throws(StyleModelError) {
    guard let gradient = gradients[node.result], wanted.contains(node.result) else { return }
    switch node.operation {
    case .convolution(let it): try convolution(node, it, gradient)
    case .transposedConvolution(let it): try transposedConvolution(node, it, gradient)
    case .pad(let it):
      try scatter(gradient, of: node.result, to: it.input) { $0.padded(it.amounts, it.mode) }
    case .crop(let it): try scatter(gradient, of: node.result, to: it.input) { $0.cropped(it.amounts) }
    case .upsample(let it): try upsample(node.result, it, gradient)
    case .resize(let it): try blend(node.result, it.input, it.placement, gradient)
    case .instanceNorm(let it): try instanceNorm(it, gradient)
    case .conditionalInstanceNorm: try graph.requireOneStyle()
    case .batchNorm(let it):
      let layout = try planner.layout(of: it.input)
      let gamma = try planner.vector(it.gamma, count: layout.channels, default: 1)
      let variance = try planner.vector(it.variance, count: layout.channels, default: 1)
      try scale(gradient, to: it.input) {
        Double(gamma[$0]) / (Double(variance[$0]) + Double(it.epsilon)).squareRoot()
      }
    case .activation(let it): try activation(it, gradient)
    case .binary(let it): try binary(it, gradient)
    }
  }

  /// Notes that `buffer` holds a gradient of `value`: the only one so far, or one to be added to what is there.
  private mutating func contribute(_ buffer: BufferID, to value: ValueID) throws(StyleModelError) {
    guard let other = gradients[value] else {
      gradients[value] = buffer
      return
    }
    let (sum, layout) = try planner.newBuffer(value)
    planner.append(
      PointwiseStep(
        source: buffer, output: sum, layout: layout,
        stages: [.combine(CK_COMBINATION_ADD, other: other, otherFirst: false)]))
    gradients[value] = sum
  }

  private mutating func stages(
    _ stages: [Stage], on gradient: BufferID, to value: ValueID
  ) throws(StyleModelError) {
    guard wanted.contains(value) else { return }
    let (buffer, layout) = try planner.newBuffer(value)
    planner.append(PointwiseStep(source: gradient, output: buffer, layout: layout, stages: stages))
    try contribute(buffer, to: value)
  }

  private mutating func scale(
    _ gradient: BufferID, to value: ValueID, by factor: (Int) -> Double
  ) throws(StyleModelError) {
    let layout = try planner.layout(of: value)
    let coefficients = try ChannelCoefficients(layout)
    for channel in 0..<layout.channels {
      coefficients.set(channel, mean: 0, factor: factor(channel), summand: 0)
    }
    try stages([.normalize(coefficients)], on: gradient, to: value)
  }

  private mutating func scatter(
    _ gradient: BufferID, of result: ValueID, to value: ValueID, _ view: (SamplingView) -> SamplingView
  ) throws(StyleModelError) {
    guard wanted.contains(value) else { return }
    let sourceLayout = try planner.layout(of: result)
    let (buffer, layout) = try planner.newBuffer(value)
    let read = view(SamplingView(buffer, layout))
    planner.append(
      ScatterStep(
        source: gradient, sourceLayout: sourceLayout, output: buffer, layout: layout, rows: .init(read.rows),
        columns: .init(read.columns)))
    try contribute(buffer, to: value)
  }

  private mutating func upsample(
    _ result: ValueID, _ upsample: Upsample, _ gradient: BufferID
  ) throws(StyleModelError) {
    guard upsample.mode == .bilinear else {
      return try scatter(gradient, of: result, to: upsample.input) { $0.enlarged(upsample.factor) }
    }
    try blend(result, upsample.input, .centers, gradient)
  }

  private mutating func blend(
    _ result: ValueID, _ value: ValueID, _ placement: Resize.Placement, _ gradient: BufferID
  ) throws(StyleModelError) {
    guard wanted.contains(value) else { return }
    let sourceLayout = try planner.layout(of: result)
    let (buffer, layout) = try planner.newBuffer(value)
    planner.append(
      ScatterStep(
        source: gradient, sourceLayout: sourceLayout, output: buffer, layout: layout,
        rows: .init(BlendStep.Axis(extent: layout.height, count: sourceLayout.height, placement)),
        columns: .init(BlendStep.Axis(extent: layout.width, count: sourceLayout.width, placement))))
    try contribute(buffer, to: value)
  }

  private mutating func instanceNorm(_ norm: InstanceNorm, _ gradient: BufferID) throws(StyleModelError) {
    guard wanted.contains(norm.input) else { return }
    let input = try planner.stored(norm.input)
    let (buffer, layout) = try planner.newBuffer(norm.input)
    planner.append(MeasureStep(output: input, layout: layout))
    planner.append(
      try NormGradientStep(
        input: input, source: gradient, output: buffer, layout: layout,
        gamma: try planner.vector(norm.gamma, count: layout.channels, default: 1),
        epsilon: Double(norm.epsilon)))
    try contribute(buffer, to: norm.input)
  }

  private mutating func activation(_ activation: Activation, _ gradient: BufferID) throws(StyleModelError) {
    guard wanted.contains(activation.input) else { return }
    guard let function = activation.function.kernel else {
      guard case .linear(let factor, _) = activation.function else { return }
      return try scale(gradient, to: activation.input) { _ in Double(factor) }
    }
    let input = try planner.stored(activation.input)
    let (buffer, layout) = try planner.newBuffer(activation.input)
    planner.append(
      ActivationGradientStep(
        activation: function, input: input, source: gradient, output: buffer, layout: layout))
    try contribute(buffer, to: activation.input)
  }

  private mutating func binary(_ binary: Binary, _ gradient: BufferID) throws(StyleModelError) {
    switch binary.function {
    case .add, .subtract:
      if wanted.contains(binary.left) { try contribute(gradient, to: binary.left) }
      guard wanted.contains(binary.right) else { return }
      if binary.function == .add {
        try contribute(gradient, to: binary.right)
      } else {
        try scale(gradient, to: binary.right) { _ in -1 }
      }
    case .multiply:
      for (value, other) in [(binary.left, binary.right), (binary.right, binary.left)] {
        let factor = try planner.stored(other)
        try stages(
          [.combine(CK_COMBINATION_MULTIPLY, other: factor, otherFirst: false)], on: gradient, to: value)
      }
    }
  }
}

// MARK: - Convolutions

extension GradientPlanner {
  private mutating func trace(
    _ weight: ValueID, _ node: Graph.Node, isTransposed: Bool, groups: Int, _ source: SamplingView,
    rows: [Int32], columns: [Int32], _ gradient: BufferID
  ) throws(StyleModelError) {
    let tensor = try planner.weights(weight)
    traces.append(
      (
        planner.steps.count,
        ConvolutionTrace.Place(
          node: node.result, weight: weight, isTransposed: isTransposed, groups: groups, shape: tensor.shape,
          input: source.buffer, inputLayout: planner.layouts[source.buffer.index], rows: rows,
          columns: columns,
          gradient: gradient, gradientLayout: try planner.layout(of: node.result))
      ))
  }

  /// Back through a convolution goes its transpose, and then back through its padding.
  private mutating func convolution(
    _ node: Graph.Node, _ it: Convolution, _ gradient: BufferID
  ) throws(StyleModelError) {
    let weight = try planner.weights(it.weight)
    let taps = (rows: weight.shape[2], columns: weight.shape[3])
    let inputShape = planner.shape(of: it.input)
    let insets = it.insets(picture: inputShape, kernel: weight.shape)
    let source = try planner.view(it.input).padded(insets, it.paddingMode)
    let outputLayout = try planner.layout(of: node.result)
    func table(_ line: [Int32], _ outputs: Int, _ taps: Int, _ stride: Int, _ dilation: Int) -> [Int32] {
      (0..<outputs).flatMap { output in (0..<taps).map { line[output * stride + $0 * dilation] } }
    }
    try trace(
      it.weight, node, isTransposed: false, groups: it.groups, source,
      rows: table(source.rows, outputLayout.height, taps.rows, it.stride.vertical, it.dilation.vertical),
      columns: table(
        source.columns, outputLayout.width, taps.columns, it.stride.horizontal, it.dilation.horizontal),
      gradient)
    guard wanted.contains(it.input) else { return }
    let kernel = ConvolutionKernel(
      node: names.newValue(), weight: weight, bias: nil, isTransposed: true, groups: it.groups,
      groupInputs: weight.shape[0] / it.groups, groupOutputs: weight.shape[1])
    // Zeros around the picture need no place for their gradient.
    let isCut = it.paddingMode == .zero || insets == .zero
    let extents =
      isCut
      ? (height: inputShape[2], width: inputShape[3])
      : (height: inputShape[2] + insets.vertical, width: inputShape[3] + insets.horizontal)
    let (padded, paddedLayout) = try planner.newBuffer(
      shape: [1, inputShape[1], extents.height, extents.width])
    let whole = SamplingView(gradient, outputLayout)
    planner.convolve(
      kernel, from: gradient, outputLayout, to: padded, paddedLayout,
      rows: TapTable.transposed(
        reading: whole.rows, outputs: extents.height, taps: taps.rows, stride: it.stride.vertical,
        dilation: it.dilation.vertical, padding: isCut ? insets.top : 0
      ).map(\.backwards),
      columns: TapTable.transposed(
        reading: whole.columns, outputs: extents.width, taps: taps.columns, stride: it.stride.horizontal,
        dilation: it.dilation.horizontal, padding: isCut ? insets.left : 0
      ).map(\.backwards))
    if isCut { return try contribute(padded, to: it.input) }
    let (buffer, layout) = try planner.newBuffer(it.input)
    let view = SamplingView(buffer, layout).padded(insets, it.paddingMode)
    planner.append(
      ScatterStep(
        source: padded, sourceLayout: paddedLayout, output: buffer, layout: layout, rows: .init(view.rows),
        columns: .init(view.columns)))
    try contribute(buffer, to: it.input)
  }

  /// Back through a transposed convolution goes the convolution that it is the transpose of.
  private mutating func transposedConvolution(
    _ node: Graph.Node, _ it: TransposedConvolution, _ gradient: BufferID
  ) throws(StyleModelError) {
    let weight = try planner.weights(it.weight)
    let source = try planner.view(it.input)
    let outputLayout = try planner.layout(of: node.result)
    func table(
      _ line: [Int32], _ outputs: Int, _ taps: Int, _ stride: Int, _ dilation: Int, _ padding: Int
    ) -> [Int32] {
      (0..<outputs).flatMap { output in
        (0..<taps).map { tap -> Int32 in
          let (index, rest) = (output + padding - tap * dilation).quotientAndRemainder(dividingBy: stride)
          return rest == 0 && line.indices.contains(index) ? line[index] : -1
        }
      }
    }
    try trace(
      it.weight, node, isTransposed: true, groups: it.groups, source,
      rows: table(
        source.rows, outputLayout.height, weight.shape[2], it.stride.vertical, it.dilation.vertical,
        it.padding.top),
      columns: table(
        source.columns, outputLayout.width, weight.shape[3], it.stride.horizontal, it.dilation.horizontal,
        it.padding.left),
      gradient)
    guard wanted.contains(it.input) else { return }
    let kernel = ConvolutionKernel(
      node: names.newValue(), weight: weight, bias: nil, isTransposed: false, groups: it.groups,
      groupInputs: weight.shape[1], groupOutputs: weight.shape[0] / it.groups)
    let view = SamplingView(gradient, outputLayout).padded(it.padding, .zero)
    let (buffer, layout) = try planner.newBuffer(it.input)
    planner.convolve(
      kernel, from: gradient, outputLayout, to: buffer, layout,
      rows: TapTable.convolution(
        reading: view.rows, outputs: layout.height, taps: weight.shape[2], stride: it.stride.vertical,
        dilation: it.dilation.vertical, repeats: 1),
      columns: TapTable.convolution(
        reading: view.columns, outputs: layout.width, taps: weight.shape[3], stride: it.stride.horizontal,
        dilation: it.dilation.horizontal, repeats: 1))
    try contribute(buffer, to: it.input)
  }
}

extension TapTable {
  /// The same table with its taps in the opposite order: those of a transposed convolution then run along the input, as
  /// the faster kernels want them.
  fileprivate var backwards: TapTable {
    let width = taps.count
    let reversed = (0..<outputs).flatMap { Array(indices[$0 * width..<($0 + 1) * width].reversed()) }
    return TapTable(first: first, step: step, taps: taps.reversed(), indices: reversed, outputs: outputs)
  }
}
