import Diagnostics
import Dispatch
import Imaging
import ModelGraph
import Synchronization
import Tensors
import TestSupport
import Testing

@testable import Runtime

@Suite struct EngineTests {
  private func picture(_ width: Int, _ height: Int) -> Picture {
    var random = SeededRandom(seed: 19)
    return Picture(width: width, height: height, samples: random.floats(width * height * 3, in: 0...255))
  }

  /// A small style network: strided by four, enlarged by four again.
  private func network(contract: PixelContract = PixelPreset.imagenet.contract) -> Graph {
    var random = SeededRandom(seed: 20)
    var graph = Graph(contract: contract)
    func convolve(_ inputs: Int, _ outputs: Int, _ kernel: Int, stride: Int = 1, norm: Bool = true) {
      let weight = graph.addConstant(
        "w\(graph.nodes.count)", random.tensor([outputs, inputs, kernel, kernel]))
      graph.append(
        .convolution(
          Convolution(
            input: graph.output, weight: weight, stride: Pair(stride, stride),
            padding: Insets(all: kernel / 2),
            paddingMode: .reflect)))
      guard norm else { return }
      graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
      graph.append(.activation(Activation(input: graph.output, function: .relu)))
    }
    convolve(3, 8, 9)
    convolve(8, 16, 3, stride: 2)
    convolve(16, 16, 3, stride: 2)
    graph.append(.upsample(Upsample(input: graph.output, factor: Pair(2, 2))))
    convolve(16, 8, 3)
    graph.append(.upsample(Upsample(input: graph.output, factor: Pair(2, 2))))
    convolve(8, 8, 3)
    convolve(8, 3, 9, norm: false)
    return graph
  }

  @Test(arguments: [(24, 24), (25, 38), (97, 31)], [PixelContract.ChannelOrder.rgb, .bgr])
  func agreesAtOddSizesAndCrops(size: (width: Int, height: Int), order: PixelContract.ChannelOrder) throws {
    var contract = PixelPreset.imagenet.contract
    contract.channelOrder = order
    let graph = network(contract: contract)
    let picture = picture(size.width, size.height)
    let result = try Engine(graph, threads: 2).run(picture)
    try #require(result.width == size.width && result.height == size.height)

    let channels = order == .rgb ? [0, 1, 2] : [2, 1, 0]
    let pixels = size.width * size.height
    let input = PlainExecutor.Map(
      channels: 3, height: size.height, width: size.width,
      values: (0..<3 * pixels).map { index in
        let (channel, pixel) = index.quotientAndRemainder(dividingBy: pixels)
        return Double(
          picture.samples[3 * pixel + channels[channel]] * contract.inputScale[channel]
            + contract.inputBias[channel])
      })
    let expected = try PlainExecutor(graph).run(input)
    #expect(expected.height % 4 == 0 && expected.width % 4 == 0)
    var worst = 0.0
    for row in 0..<size.height {
      for column in 0..<size.width {
        for channel in 0..<3 {
          let wanted =
            expected[channel, row, column] * Double(contract.outputScale[channel])
            + Double(contract.outputBias[channel])
          let actual = result.samples[(row * size.width + column) * 3 + channels[channel]]
          worst = max(worst, (wanted - Double(actual)).magnitude)
        }
      }
    }
    #expect(worst < 0.02, "of results in the hundreds")
    #expect(result.samples.contains { $0 < 0 } && result.samples.contains { $0 > 255 }, "not clamped")
  }

  @Test func resultsDependOnNothingElse() throws {
    let graph = network()
    let engine = try Engine(graph, threads: 2)
    let small = picture(30, 20)
    let large = picture(45, 52)
    let first = try engine.run(small)
    _ = try engine.run(large)
    #expect(try engine.run(small) == first)
    #expect(try engine.run(small) == first, "the same plan again")
    for threads in [1, 3, 7] { #expect(try Engine(graph, threads: threads).run(small) == first) }
  }

  @Test func threadCountsAreKeptSane() throws {
    let graph = network()
    #expect(try Engine(graph, threads: 0).threads == 1)
    #expect(try Engine(graph, threads: 1_000_000).threads == 256)
    #expect(try Engine(graph).threads >= 1)
  }

  @Test func callsFromSeveralThreadsWaitForOneAnother() throws {
    let engine = try Engine(network(), threads: 2)
    let pictures = [picture(30, 20), picture(21, 33), picture(30, 21)]
    let expected = try pictures.map { try engine.run($0) }
    let wrong = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 12) { index in
      let result = try? engine.run(pictures[index % 3])
      if result != expected[index % 3] { wrong.withLock { $0 += 1 } }
    }
    #expect(wrong.withLock { $0 } == 0)
  }

  @Test func enlargingNetworksKeepTheirSize() throws {
    var graph = Graph(contract: PixelPreset.unit.contract)
    graph.append(.upsample(Upsample(input: graph.output, factor: Pair(2, 3))))
    let result = try Engine(graph).run(picture(5, 4))
    #expect(result.width == 15 && result.height == 8)
    // A frame is no rounding of strides either.
    var framed = Graph(contract: PixelPreset.unit.contract)
    framed.append(.pad(Pad(input: framed.output, amounts: Insets(all: 1), mode: .zero)))
    #expect(try Engine(framed).run(picture(5, 4)).width == 7)
  }

  @Test func tooSmallPicturesAreRefusedWithTheSizeThatWouldDo() throws {
    let engine = try Engine(network())
    let smallest = try #require(engine.graph.smallestSize())
    #expect(smallest == PictureSize(width: 5, height: 5))
    let error = #expect(throws: StyleModelError.self) { try engine.run(self.picture(64, 4)) }
    #expect(error?.kind == .badInput)
    #expect(error?.problem.contains("a picture of 64x4 is too small") == true)
    #expect(error?.place?.contains("conv(") == true)
    #expect(error?.remedy == "use a picture of at least 5x5")
    _ = try engine.run(picture(5, 5))
  }

  @Test func networksThatMakeNoPictureAreRefused() throws {
    var graph = network()
    let weight = graph.addConstant(
      "many", StoredTensor(shape: [256, 3, 1, 1], floats: [Float](repeating: 0, count: 768)))
    graph.append(.convolution(Convolution(input: graph.output, weight: weight)))
    let error = #expect(throws: StyleModelError.self) { try Engine(graph) }
    #expect(error?.problem == "the output has 256 channels; a picture has 3")
  }

  @Test func impossibleSizesAreRefused() throws {
    let engine = try Engine(network())
    for size in [
      PictureSize(width: 1 << 40, height: 1 << 40), PictureSize(width: 1 << 25, height: 16),
      PictureSize(width: 1 << 23, height: 1 << 23), PictureSize(width: 0, height: 5),
    ] {
      #expect(throws: StyleModelError.self) { try engine.peakMemoryEstimate(for: size) }
    }
  }

  @Test func memoryEstimateCoversTheBuffers() throws {
    let engine = try Engine(network(), threads: 2)
    let size = PictureSize(width: 200, height: 100)
    let plan = try Plan(engine.graph, size: size)
    let estimate = try engine.peakMemoryEstimate(for: size)
    let pictures = 2 * 200 * 100 * 3 * 4
    #expect(estimate > plan.arenaFloats * 4 + pictures)
    #expect(plan.arenaFloats * 4 >= 200 * 100 * (8 + 3) * 4, "the first convolution's input and output")
    #expect(estimate < plan.arenaFloats * 8 + pictures)
  }

  @Test func moreMemoryThanThereIsIsRefused() throws {
    let engine = try Engine(network(), threads: 1)
    let size = PictureSize(width: 200, height: 100)
    let needed = try engine.peakMemoryEstimate(for: size)
    let allowed = try Engine(network(), threads: 1, memoryLimit: MemoryLimit(wanted: .max, most: needed))
    #expect(try allowed.peakMemoryEstimate(for: size) == needed)
    let observing = try Engine(network(), threads: 1, memoryLimit: .bytes(1))
    let picture = Picture(
      width: size.width, height: size.height,
      samples: [Float](repeating: 0, count: size.width * size.height * 3))
    for run in [
      { _ = try observing.run(picture) }, { try observing.run(picture, observing: []) { _, _ in } },
    ] as [() throws -> Void] {
      let error = #expect(throws: StyleModelError.self) { try run() }
      #expect(error?.kind == .badInput)
      #expect(error?.message.contains("a picture of 200x100 takes") == true)
    }
    // The largest size that can be asked for takes a hundred gigabytes for the pictures alone.
    #expect(MemoryLimit.physicalBytes > 1 << 28)
    if MemoryLimit.physicalBytes < 100 << 30 {
      let largest = PictureSize(width: 65535, height: 65535)
      #expect(throws: StyleModelError.self) { try engine.benchmark(size: largest, runs: 1) }
    }
  }

  @Test func benchmarkTimesEveryRun() throws {
    let engine = try Engine(network(), threads: 1)
    let result = try engine.benchmark(size: PictureSize(width: 16, height: 12), runs: 3)
    #expect(result.seconds.count == 3 && result.seconds.allSatisfy { $0 > 0 })
    #expect(result.peakBytes > 1_000_000 && result.threads == 1)
    var known = result
    known.seconds = [3, 1, 2]
    #expect(known.medianSeconds == 2)
    known.seconds = [4, 1, 2, 3]
    #expect(known.medianSeconds == 2.5)
  }

  @Test func quantizedWeightsAreWidened() throws {
    var random = SeededRandom(seed: 21)
    let integers = (0..<3 * 3 * 3 * 3).map { _ in Int.random(in: -127...127, using: &random) }
    let stored = try StoredTensor(
      shape: [3, 3, 3, 3],
      encoding: .affine(AffineEncoding(bits: 8, isSigned: true, axis: 0, scales: [0.01, 0.002, 0.03])),
      bytes: packIntegers(integers, bits: 8))
    func graph(_ tensor: StoredTensor) -> Graph {
      var graph = Graph(contract: PixelPreset.unit.contract)
      let weight = graph.addConstant("w", tensor)
      graph.append(.convolution(Convolution(input: graph.output, weight: weight, padding: Insets(all: 1))))
      return graph
    }
    let picture = picture(9, 7)
    let plain = StoredTensor(shape: [3, 3, 3, 3], floats: stored.floats())
    #expect(try Engine(graph(stored)).run(picture) == Engine(graph(plain)).run(picture))
  }
}
