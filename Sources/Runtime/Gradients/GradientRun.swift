import CKernels
package import Diagnostics
package import Imaging
package import ModelGraph

/// One picture size's way through a network, forwards and back: forwards it computes the picture, and back the gradient
/// of any number computed from that picture at every convolution.
///
/// It takes the memory of all maps at once, so it is for pictures of moderate size. Results do not depend on the number of
/// threads.
package final class GradientRun {
  private let graph: Graph
  private let size: PictureSize
  private let outputSize: PictureSize
  private let gradientPlan: GradientPlan
  private let machine: Machine

  /// Plans and allocates.
  /// - Parameters:
  ///   - wantsInput: whether `backward` computes the gradient of the picture that goes in.
  ///   - threads: how many threads compute; nil is one for each core.
  /// - Throws: `.badInput` when the network cannot take the size, or when there is not enough memory.
  package init(
    _ graph: Graph, size: PictureSize, wantsInput: Bool = false, threads: Int? = nil,
    instructionSet: InstructionSet = .best
  ) throws(StyleModelError) {
    self.graph = graph
    self.size = size
    let engine = try Engine(graph, threads: threads, instructionSet: instructionSet)
    outputSize = try engine.outputSize(for: size)
    gradientPlan = try GradientPlan(graph, size: size, wantsInput: wantsInput)
    try engine.requireMemory(engine.bytes(of: gradientPlan.plan) + engine.memoryLimit.besides, for: size)
    var weights: [PackedConvolution.Key: PackedConvolution] = [:]
    for (key, kernel) in gradientPlan.plan.packings where weights[key] == nil {
      weights[key] = try PackedConvolution(kernel, key)
    }
    machine = try Machine(
      gradientPlan.plan, kernels: instructionSet.kernels, workers: Workers(count: engine.threads),
      weights: weights)
  }

  /// Computes the picture: what `Engine.run` gives, up to rounding.
  /// - Precondition: the picture has the size that the run was made for.
  package func forward(_ picture: Picture) -> Picture {
    precondition(picture.width == size.width && picture.height == size.height)
    let plan = gradientPlan.plan
    graph.contract.write(picture, to: machine.pointer(plan.input))
    machine.run(steps: 0..<gradientPlan.forwardCount)
    return graph.contract.read(machine.pointer(plan.output), plan.layout(plan.output), croppedTo: outputSize)
  }

  /// Goes back from the gradient of the last `forward`'s picture, and shows each convolution on the way, the last one
  /// first.
  /// - Returns: the gradient of the picture that went in, if it was wanted.
  /// - Precondition: the gradient has the size of the picture that `forward` gave.
  @discardableResult
  package func backward(
    _ gradient: Picture, visit: (ConvolutionTrace) -> Void = { _ in }
  ) -> Picture? {
    precondition(gradient.width == outputSize.width && gradient.height == outputSize.height)
    write(gradient)
    var next = gradientPlan.traces[...]
    var done = gradientPlan.forwardCount
    while let (afterSteps, place) = next.first {
      machine.run(steps: done..<afterSteps)
      done = afterSteps
      visit(trace(place))
      next = next.dropFirst()
    }
    machine.run(steps: done..<gradientPlan.plan.steps.count)
    return gradientPlan.inputGradient.map(read)
  }

  /// Shows each convolution as `forward` has left it; the gradients mean nothing.
  package func forEachConvolution(_ visit: (ConvolutionTrace) -> Void) {
    for (_, place) in gradientPlan.traces { visit(trace(place)) }
  }

  private func trace(_ place: ConvolutionTrace.Place) -> ConvolutionTrace {
    ConvolutionTrace(
      place, input: UnsafePointer(machine.pointer(place.input)),
      gradient: UnsafePointer(machine.pointer(place.gradient)))
  }

  /// The gradient of the network's output: that of the picture, which is `output * scale + bias`.
  private func write(_ gradient: Picture) {
    let layout = gradientPlan.plan.layout(gradientPlan.outputGradient)
    let base = machine.pointer(gradientPlan.outputGradient)
    base.update(repeating: 0, count: layout.floatCount)
    for channel in 0..<3 {
      let from = graph.contract.channelOrder == .rgb ? channel : 2 - channel
      let scale = graph.contract.outputScale[channel]
      for row in 0..<gradient.height {
        for column in 0..<gradient.width {
          base[row * layout.rowStride + column * layout.pixelStride + channel] =
            gradient.samples[3 * (row * gradient.width + column) + from] * scale
        }
      }
    }
  }

  /// The gradient of the picture that went in: the network is given `pixel * scale + bias`.
  private func read(_ buffer: BufferID) -> Picture {
    let layout = gradientPlan.plan.layout(buffer)
    let base = machine.pointer(buffer)
    var samples = [Float](repeating: 0, count: layout.pixels * 3)
    for channel in 0..<3 {
      let to = graph.contract.channelOrder == .rgb ? channel : 2 - channel
      let scale = graph.contract.inputScale[channel]
      for pixel in 0..<layout.pixels {
        samples[3 * pixel + to] = base[pixel * layout.pixelStride + channel] * scale
      }
    }
    return Picture(width: layout.width, height: layout.height, samples: samples)
  }
}
