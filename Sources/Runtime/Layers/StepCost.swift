import CKernels

/// What a step has to do, however well it does it.
struct StepCost {
  /// The floating-point operations of the algorithm that is used; those of Winograd's are the products' alone, so that
  /// its transformations count as time lost.
  var operations: Double
  /// The bytes that are read or written at least once: maps and packed weights.
  var bytes: Double
}

extension Convolving {
  /// What the packed weights take, in bytes.
  private var weightBytes: Int {
    packings.reduce(0) { $0 + PackedConvolution.weightCount($1.kernel, $1.key) * MemoryLayout<Float>.stride }
  }

  func cost(_ layouts: [MapLayout]) -> StepCost {
    StepCost(operations: 2 * multiplications, bytes: mapBytes(layouts) + Double(weightBytes))
  }
}

extension Step {
  /// The bytes of the maps that are read and written.
  func mapBytes(_ layouts: [MapLayout]) -> Double {
    let maps = reads + [output]
    return Double(maps.reduce(0) { $0 + layouts[$1.index].floatCount * MemoryLayout<Float>.stride })
  }

  func cost(in plan: Plan) -> StepCost {
    if let convolution = self as? any Convolving { return convolution.cost(plan.layouts) }
    return StepCost(operations: 0, bytes: mapBytes(plan.layouts))
  }

  /// What is done, in a few words: `3x3 winograd`, `norm, clamp`.
  var method: String {
    if let convolution = self as? any Convolving { return convolution.kernelMethod }
    let done = stages.map(\.method).joined(separator: ", ")
    switch self {
    case is BlendStep: return "bilinear"
    case is GatherStep: return "gather"
    case is MeasureStep, is HalfMeasureStep: return "measure"
    default: return done.isEmpty ? "copy" : done
    }
  }
}

extension Stage {
  fileprivate var method: String {
    switch self {
    case .normalize: "norm"
    case .activate(let activation):
      switch activation.kind {
      case CK_ACTIVATION_LEAKY: "leaky"
      case CK_ACTIVATION_SIGMOID: "sigmoid"
      case CK_ACTIVATION_TANH: "tanh"
      default: "clamp"
      }
    case .combine(CK_COMBINATION_MULTIPLY, _, _): "multiply"
    case .combine(CK_COMBINATION_SUBTRACT, _, _): "subtract"
    case .combine: "add"
    case .roundToHalf: "round"
    }
  }
}

extension ConvolutionStep {
  var multiplications: Double {
    phases.reduce(0) { sum, phase in
      let taps = phase.rows.taps.count * phase.columns.taps.count
      return sum + Double(phase.rows.outputs * phase.columns.outputs * taps)
        * Double(kernel.groups * kernel.groupOutputs * kernel.groupInputs)
    }
  }

  var kernelMethod: String {
    let taps = phases.map { "\($0.rows.taps.count)x\($0.columns.taps.count)" }.first ?? ""
    let times = phases.count > 1 ? "\(phases.count) of " : ""
    return times + taps + (kernel.kind == CK_CONVOLUTION_DEPTHWISE ? " depthwise" : " direct")
  }
}

extension WinogradStep {
  var multiplications: Double {
    let positions = CK_WINOGRAD_EXTENT * CK_WINOGRAD_EXTENT
    let tiles = phases.reduce(0) { $0 + $1.tiling.count }
    return Double(tiles * positions) * Double(kernel.groupInputs * kernel.groupOutputs)
  }

  var kernelMethod: String {
    let taps = phases.first?.rows.taps.count ?? 0
    return (phases.count > 1 ? "\(phases.count) of " : "") + "\(taps)x\(taps) winograd"
  }
}
