import Diagnostics
import ModelGraph
import ProtobufSupport
import Tensors

extension NetworkTranslation {
  mutating func addPadding(_ name: String, _ input: String, _ amounts: Insets, _ mode: PaddingMode) -> String
  {
    draft.add(name, Kind.padding, [input]) { writer in
      // An empty message that is there says the mode.
      writer.message(mode == .zero ? 1 : mode == .reflect ? 2 : 3) { _ in }
      writer.message(10) { $0.borders(amounts) }
    }
  }

  mutating func addCrop(_ name: String, _ input: String, _ amounts: Insets) -> String {
    draft.add(name, Kind.crop, [input]) { writer in writer.message(1) { $0.borders(amounts) } }
  }

  mutating func addActivation(_ name: String, _ input: String, _ function: Activation.Function) -> String {
    if case .clamp(let lower, let upper) = function {
      draft.require(.iOS13)
      return draft.add(name, Kind.clip, [input]) { writer in
        writer.float(1, lower)
        writer.float(2, upper)
      }
    }
    return draft.add(name, Kind.activation, [input]) { writer in
      switch function {
      case .relu, .clamp: writer.message(10) { _ in }
      case .leakyReLU(let slope): writer.message(15) { $0.float(1, slope) }
      case .sigmoid: writer.message(40) { _ in }
      case .tanh: writer.message(30) { _ in }
      case .linear(let scale, let bias):
        writer.message(5) { linear in
          linear.float(1, scale)
          linear.float(2, bias)
        }
      }
    }
  }

  /// A resampling to one size, which two of Core ML's ways of placing pixels say.
  mutating func add(_ name: String, _ resize: Resize) throws(StyleModelError) -> String {
    guard resize.placement != .centers else {
      throw StyleModelError(
        .badInput, "resamples about pixel centres to one size, which no layer does",
        remedy: "write an .mlpackage or an .onnx")
    }
    draft.require(.iOS12)
    return draft.add(name, Kind.resizeBilinear, [try blob(resize.input)]) { writer in
      writer.numbers(1, [resize.size.vertical, resize.size.horizontal])
      writer.message(2) { if resize.placement == .start { $0.number(1, 2) } }
    }
  }

  // MARK: Norms

  mutating func add(_ name: String, _ norm: InstanceNorm) throws(StyleModelError) -> String {
    let channels = try vectorCount(of: norm.input)
    let factors = [
      try vector(norm.gamma, channels, default: 1), try vector(norm.beta, channels, default: 0),
    ]
    return addNorm(name, try blob(norm.input), channels, norm.epsilon, factors, isLive: true)
  }

  mutating func add(_ name: String, _ norm: BatchNorm) throws(StyleModelError) -> String {
    let channels = try tensor(norm.mean).shape.count
    let factors = [
      try vector(norm.gamma, channels, default: 1), try vector(norm.beta, channels, default: 0),
      try tensor(norm.mean), try tensor(norm.variance),
    ]
    return addNorm(name, try blob(norm.input), channels, norm.epsilon, factors, isLive: false)
  }

  /// The norm without gamma and beta, which two inner products make of the style vector.
  mutating func add(_ name: String, _ norm: ConditionalInstanceNorm) throws(StyleModelError) -> String {
    guard let styles = graph.styles else {
      throw StyleModelError(.badInput, "depends on a style, but the network has none")
    }
    let channels = try tensor(norm.gamma).shape[1]
    let plain = [
      StoredTensor(shape: [channels], floats: [Float](repeating: 1, count: channels)),
      StoredTensor(shape: [channels], floats: [Float](repeating: 0, count: channels)),
    ]
    let normalized = addNorm(
      name + "_norm", try blob(norm.input), channels, norm.epsilon, plain, isLive: true)
    let gamma = addTable(name + "_gamma", try tensor(norm.gamma), styles)
    let beta = addTable(name + "_beta", try tensor(norm.beta), styles)
    let scaled = draft.add(name + "_scaled", Kind.multiply, [normalized, gamma])
    return draft.add(name, Kind.add, [scaled, beta])
  }

  /// A table `[styles, C]` as an inner product with weights `[C, styles]`.
  private mutating func addTable(_ name: String, _ table: StoredTensor, _ styles: StyleSet) -> String {
    let weights = WeightParameters(table.transposed, channelAxis: nil)
    draft.require(weights.version)
    return draft.add(name, Kind.innerProduct, [styles.inputName]) { writer in
      writer.number(1, styles.count)
      writer.number(2, table.shape[1])
      writer.message(20, weights.write)
    }
  }

  private mutating func addNorm(
    _ name: String, _ input: String, _ channels: Int, _ epsilon: Float, _ tensors: [StoredTensor],
    isLive: Bool
  ) -> String {
    let weights = WeightParameters.together(tensors)
    for weight in weights { draft.require(weight.version) }
    return draft.add(name, Kind.batchnorm, [input]) { writer in
      writer.number(1, channels)
      if isLive {
        writer.number(5, 1)
        writer.number(6, 1)
      }
      // An epsilon of 0 would be read as the usual one; the least there is adds nothing to a variance.
      writer.float(10, epsilon > 0 ? epsilon : .leastNormalMagnitude)
      for (index, weight) in weights.enumerated() { writer.message(15 + index, weight.write) }
    }
  }

  private func vector(
    _ value: ValueID?, _ count: Int, default standard: Float
  ) throws(StyleModelError) -> StoredTensor {
    if let value { return try tensor(value) }
    return StoredTensor(shape: [count], floats: [Float](repeating: standard, count: count))
  }

  private func vectorCount(of value: ValueID) throws(StyleModelError) -> Int {
    guard let shape = try graph.shapes(for: graph.sampleSize)[value], shape.rank == 4 else {
      throw StyleModelError(.badInput, "\(value) is no picture")
    }
    return shape[1]
  }
}

extension StoredTensor {
  /// A matrix with its axes exchanged; halves stay halves, all else becomes single precision.
  fileprivate var transposed: StoredTensor {
    let (rows, columns) = (shape[0], shape[1])
    if case .plain(.float16) = encoding {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(self.bytes.count)
      for column in 0..<columns {
        for row in 0..<rows { bytes += self.bytes[(2 * (row * columns + column))...].prefix(2) }
      }
      if let tensor = try? StoredTensor(shape: [columns, rows], encoding: encoding, bytes: bytes) {
        return tensor
      }
    }
    let floats = floats()
    return StoredTensor(
      shape: [columns, rows],
      floats: (0..<(rows * columns)).map { floats[$0 % rows * columns + $0 / rows] })
  }
}

extension ProtobufWriter {
  /// The fields of a `BorderAmounts`: height, then width.
  mutating func borders(_ amounts: Insets) {
    for (start, end) in [(amounts.top, amounts.bottom), (amounts.left, amounts.right)] {
      message(10) { edge in
        edge.number(1, start)
        edge.number(2, end)
      }
    }
  }
}
