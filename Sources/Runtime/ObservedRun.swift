public import Diagnostics
public import Imaging
public import ModelGraph

/// A map of features that a run has just computed, lent to whoever observes it: the run goes on in its memory.
public struct ObservedMap: ~Copyable {
  private let base: UnsafePointer<Float>
  private let layout: MapLayout

  init(_ base: UnsafePointer<Float>, _ layout: MapLayout) {
    self.base = base
    self.layout = layout
  }

  /// The number of channels.
  public var channels: Int { layout.channels }
  /// The height in pixels.
  public var height: Int { layout.height }
  /// The width in pixels.
  public var width: Int { layout.width }

  /// One number.
  /// - Precondition: it lies within the map.
  public subscript(channel: Int, row: Int, column: Int) -> Float {
    precondition(
      (0..<channels).contains(channel) && (0..<height).contains(row) && (0..<width).contains(column))
    return base[row * layout.rowStride + column * layout.pixelStride + channel]
  }

  /// Each channel's mean and population variance, in double precision: the mean first, then the distances from it.
  public var channelStatistics: [(mean: Double, variance: Double)] {
    let pixels = Double(width * height)
    func sums(_ term: (_ channel: Int, _ value: Double) -> Double) -> [Double] {
      var totals = [Double](repeating: 0, count: channels)
      for row in 0..<height {
        for column in 0..<width {
          let pixel = base + row * layout.rowStride + column * layout.pixelStride
          for channel in 0..<channels { totals[channel] += term(channel, Double(pixel[channel])) }
        }
      }
      return totals.map { $0 / pixels }
    }
    let means = sums { $1 }
    let variances = sums { channel, value in (value - means[channel]) * (value - means[channel]) }
    return zip(means, variances).map { (mean: $0, variance: $1) }
  }

  /// The sum of the squares of all numbers, in double precision.
  public var sumOfSquares: Double {
    var total = 0.0
    // Row by row, so that rounding errors do not grow with the picture.
    for row in 0..<height {
      var sum = 0.0
      for column in 0..<width {
        let pixel = base + row * layout.rowStride + column * layout.pixelStride
        for channel in 0..<channels { sum += Double(pixel[channel]) * Double(pixel[channel]) }
      }
      total += sum
    }
    return total
  }
}

extension Engine {
  /// Runs the network once and shows the results of some of its operations on the way, each as soon as it is there.
  ///
  /// The plan is made for this run and dropped after it: what is looked at must not be overwritten by what is made of
  /// it, which costs memory and time that `run` does not need.
  /// - Parameter observed: the results to show; values that no operation computes are left out.
  /// - Returns: what `run` returns, up to rounding: what is looked at is computed even where `run` would read through it.
  /// - Throws: what `run` throws.
  @discardableResult
  public func run(
    _ picture: Picture, observing observed: Set<ValueID>,
    observer: (_ value: ValueID, _ map: borrowing ObservedMap) -> Void
  ) throws(StyleModelError) -> Picture {
    let size = PictureSize(width: picture.width, height: picture.height)
    let wanted = try outputSize(for: size)
    let plan = try Plan(computedGraph, size: size, precision: precision, observed: observed)
    try requireMemory(bytes(of: plan) + memoryLimit.besides, for: size)
    var weights: [PackedConvolution.Key: PackedConvolution] = [:]
    for (key, kernel) in plan.packings where weights[key] == nil {
      weights[key] = try PackedConvolution(kernel, key)
    }
    let machine = try Machine(
      plan, kernels: instructionSet.kernels, workers: Workers(count: threads), weights: weights)
    graph.contract.write(picture, to: machine.pointer(plan.input))
    if precision != .float32 { _ = machine.roundInputToHalf() }
    machine.run(afterSteps: { stepCount in
      for observation in plan.observations[stepCount] ?? [] {
        observer(
          observation.value,
          ObservedMap(machine.pointer(observation.buffer), plan.layout(observation.buffer)))
      }
    })
    return graph.contract.read(machine.pointer(plan.output), plan.layout(plan.output), croppedTo: wanted)
  }
}
