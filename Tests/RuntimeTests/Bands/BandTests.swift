import Diagnostics
import Imaging
import ModelGraph
import Tensors
import TestSupport
import Testing

@testable import Runtime

/// Networks of every family's shape, run in bands under limits that leave less and less, against the same run in one
/// piece: not a bit may differ.
@Suite struct BandTests {
  enum Family: CaseIterable {
    /// Reflection, strides, residual blocks, doublings: the classic.
    case residual
    /// Depthwise and 1×1 convolutions with batch norms, clamped; bilinear enlargement.
    case mobile
    /// Zero padding and transposed convolutions.
    case transposed
    /// The picture itself and an early map are wanted again at the end.
    case skips
    /// Norms behind something else than a convolution, one map in two norms, crops and paddings of their own.
    case odd
  }

  static func network(_ family: Family, blocks: Int = 2) -> Graph {
    var random = SeededRandom(seed: 41)
    var graph = Graph(contract: PixelPreset.imagenet.contract)
    func weight(_ shape: Shape) -> ValueID {
      graph.addConstant("w\(graph.constants.count)", random.tensor(shape, in: -0.5...0.5))
    }
    func convolve(
      _ inputs: Int, _ outputs: Int, _ kernel: Int, stride: Int = 1, groups: Int = 1,
      _ mode: PaddingMode = .reflect
    ) {
      graph.append(
        .convolution(
          Convolution(
            input: graph.output, weight: weight([outputs, inputs / groups, kernel, kernel]),
            bias: weight([outputs]), stride: Pair(stride, stride), padding: Insets(all: kernel / 2),
            paddingMode: mode, groups: groups)))
    }
    func normed() {
      graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
      graph.append(.activation(Activation(input: graph.output, function: .relu)))
    }
    func enlarge(_ mode: Upsample.Mode = .nearest) {
      graph.append(.upsample(Upsample(input: graph.output, factor: Pair(2, 2), mode: mode)))
    }
    func residualBlock(_ channels: Int) {
      let before = graph.output
      convolve(channels, channels, 3)
      normed()
      convolve(channels, channels, 3)
      graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
      graph.append(.binary(Binary(.add, graph.output, before)))
    }
    switch family {
    case .residual:
      convolve(3, 8, 9)
      normed()
      convolve(8, 12, 3, stride: 2)
      normed()
      convolve(12, 16, 3, stride: 2)
      normed()
      for _ in 0..<blocks { residualBlock(16) }
      enlarge()
      convolve(16, 12, 3)
      normed()
      enlarge()
      convolve(12, 8, 3)
      normed()
      convolve(8, 3, 9)
    case .mobile:
      convolve(3, 8, 3, stride: 2, .zero)
      for _ in 0..<blocks {
        convolve(8, 8, 3, groups: 8, .zero)
        graph.append(.activation(Activation(input: graph.output, function: .clamp(lower: 0, upper: 6))))
        convolve(8, 8, 1, .zero)
        normed()
      }
      enlarge(.bilinear)
      convolve(8, 3, 3, .zero)
      graph.append(.activation(Activation(input: graph.output, function: .tanh)))
    case .transposed:
      convolve(3, 8, 9, .zero)
      normed()
      convolve(8, 16, 3, stride: 2, .zero)
      normed()
      residualBlock(16)
      graph.append(
        .transposedConvolution(
          TransposedConvolution(
            input: graph.output, weight: weight([16, 8, 3, 3]), stride: Pair(2, 2), padding: Insets(all: 1),
            outputPadding: Pair(1, 1))))
      normed()
      convolve(8, 3, 9, .zero)
    case .skips:
      let picture = graph.output
      convolve(3, 8, 3)
      normed()
      let early = graph.output
      convolve(8, 8, 3)
      normed()
      convolve(8, 8, 5)
      normed()
      graph.append(.binary(Binary(.multiply, graph.output, early)))
      convolve(8, 3, 3)
      graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
      graph.append(.binary(Binary(.subtract, picture, graph.output)))
    case .odd:
      convolve(3, 8, 3)
      let base = graph.output
      graph.append(.instanceNorm(InstanceNorm(input: base)))
      let first = graph.output
      graph.append(.instanceNorm(InstanceNorm(input: base, epsilon: 1)))
      graph.append(.binary(Binary(.add, graph.output, first)))
      graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
      graph.append(.pad(Pad(input: graph.output, amounts: Insets(all: 3), mode: .replicate)))
      graph.append(.activation(Activation(input: graph.output, function: .sigmoid)))
      graph.append(.crop(Crop(input: graph.output, amounts: Insets(all: 2))))
      graph.append(.instanceNorm(InstanceNorm(input: graph.output)))
      convolve(8, 3, 3)
    }
    return graph
  }

  static func picture(_ width: Int, _ height: Int) -> Picture {
    var random = SeededRandom(seed: 42)
    return Picture(width: width, height: height, samples: random.floats(width * height * 3, in: 0...255))
  }

  @Test(arguments: Family.allCases, [(61, 83), (23, 150)])
  func agreesToTheBit(family: Family, size: (width: Int, height: Int)) throws {
    let graph = Self.network(family)
    let picture = Self.picture(size.width, size.height)
    for set in InstructionSet.allCases {
      let whole = try Engine(graph, threads: 1, instructionSet: set)
      let expected = try whole.run(picture)
      let bytes = try whole.peakMemoryEstimate(for: PictureSize(width: size.width, height: size.height))
      for (share, threads) in [(0, 1), (0, 3), (50, 3), (70, 1), (90, 3)] {
        let engine = try Engine(
          graph, threads: threads, instructionSet: set,
          memoryLimit: MemoryLimit(wanted: bytes / 100 * share, most: .max))
        let actual = try engine.run(picture)
        let difference = expected.samples.indices.first {
          expected.samples[$0].bitPattern != actual.samples[$0].bitPattern
        }
        #expect(
          difference == nil && actual.samples.count == expected.samples.count,
          "\(set), \(threads) threads, \(share) % of \(bytes) bytes")
      }
    }
  }

  @Test func takesFarLessMemory() throws {
    let graph = Self.network(.residual, blocks: 5)
    let size = PictureSize(width: 256, height: 1024)
    let whole = try Engine(graph).peakMemoryEstimate(for: size)
    var before = whole
    for share in [75, 60] {
      let limit = whole / 100 * share
      let banded = try Engine(graph, memoryLimit: .bytes(limit)).peakMemoryEstimate(for: size)
      #expect(banded <= limit && banded < before)
      before = banded
    }
  }

  /// In a process of its own, since memory that was in use once counts.
  @Test(arguments: [100, 60]) func theEstimateIsWhatTheProcessGrowsBy(share: Int) async {
    await #expect(processExitsWith: .success) { [share = share as Int] in
      let graph = BandTests.network(.residual, blocks: 3)
      let size = PictureSize(width: 1024, height: 1536)
      let whole = try Engine(graph, threads: 2).peakMemoryEstimate(for: size)
      let engine = try Engine(
        graph, threads: 2,
        memoryLimit: MemoryLimit(wanted: share == 100 ? .max : whole / 100 * share, most: .max))
      _ = try engine.run(BandTests.picture(40, 40))  // what any run takes once
      let estimate = try engine.peakMemoryEstimate(for: size)
      let before = ProcessMemory.peak
      // Nobody else holds the picture, so that its memory is free when it has been read.
      let result = try engine.run(
        Picture(
          width: size.width, height: size.height,
          samples: [Float](repeating: 100, count: size.width * size.height * 3)))
      let growth = ProcessMemory.peak - before
      precondition(result.width == size.width)
      precondition(abs(growth - estimate) < estimate / 10, "\(growth) bytes where \(estimate) were expected")
    }
  }

  @Test func refusesWhatCannotFitBeforeItStarts() throws {
    let engine = try Engine(Self.network(.residual), memoryLimit: .bytes(100_000))
    do {
      _ = try engine.run(Self.picture(640, 480))
      Issue.record("ran in 100 kB")
    } catch {
      #expect(error.kind == .badInput)
      #expect(error.message.contains("640x480") && error.message.contains("the limit of 100.0 kB"))
    }
  }

  @Test func progressRisesToOne() throws {
    let engine = try Engine(Self.network(.residual), memoryLimit: MemoryLimit(wanted: 0, most: .max))
    var shares: [Double] = []
    _ = try engine.run(Self.picture(40, 120), observer: RunObserver(progress: { shares.append($0) }))
    #expect(shares == shares.sorted() && shares.count > 8 && abs((shares.last ?? 0) - 1) < 1e-9)
  }
}
