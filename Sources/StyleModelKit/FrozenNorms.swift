import Passes
import Runtime

/// A network whose live norms were frozen to statistics over calibration pictures, and what that costs.
public struct FrozenNorms: Sendable {
  /// The network, every live norm that could be measured now one of stored statistics; before any other pass.
  public let graph: Graph
  /// What became of each norm.
  public let notes: [PassNote]
  /// The folder of the pictures, as the user named it.
  public let folder: String
  /// The pictures, each with how near the frozen network's output is to the live one's.
  public let pictures: [(name: String, quality: ImageQuality)]

  /// The picture that suffers most.
  public var worst: (name: String, quality: ImageQuality)? {
    pictures.min { $0.quality.psnr < $1.quality.psnr }
  }

  /// What was done and what it costs, for people.
  public var summary: String {
    let count = notes.count { $0.kind == .done }
    let cost = worst.map {
      "the worst of them is \(fixed($0.quality.psnr, 2)) dB from the live network's (\(printable($0.name)))"
    }
    return "\(counted(count, "norm")) over \(counted(pictures.count, "picture")) of \(printable(folder)); "
      + (cost ?? "no picture was compared")
  }

  /// Measures what live norms normalise over all pictures of a folder, as one batch in which each picture counts alike,
  /// and puts that in the place of each picture's own statistics.
  ///
  /// The statistics are taken with every norm still live, in single precision through the engine and in double
  /// precision from there on.
  /// - Throws: `.usage` when the network is of several styles; `.badInput` when it has no live norm, or there is no
  ///   picture; what a picture that cannot be read or run throws.
  public init(
    _ model: Model, picturesIn folder: String, fit: PictureFit = .resize, threads: Int? = nil,
    progress: (Double) -> Void = { _ in }
  ) throws(StyleModelError) {
    let subjects = try StyleModelKit.pictures(inFolder: folder)
    let live = Set(
      model.graph.nodes.compactMap { node in
        if case .instanceNorm(let norm) = node.operation { norm.input } else { nil }
      })
    try model.requireOneStyle()
    guard !live.isEmpty else {
      throw StyleModelError(
        .badInput, file: model.path, "has no norm by live statistics, so there is none to freeze",
        remedy: "leave out --freeze-norm")
    }
    let engine = try Engine(model.graph, threads: threads)
    let sizes = model.graph.contract.sizes
    var sums: [ValueID: MomentsOfChannels] = [:]
    for (index, subject) in subjects.enumerated() {
      progress(0.5 * Double(index) / Double(subjects.count))
      try engine.run(try subject.read().sample(for: sizes), observing: live) { value, map in
        var moments = sums[value] ?? MomentsOfChannels(channels: map.channels)
        moments.add(map)
        sums[value] = moments
      }
    }
    let pass = FreezeNorms(sums.mapValues(\.statistics))
    (graph, notes) = try optimized(model.graph, by: [pass])
    let frozen = try Engine(graph, threads: threads)
    var results: [(name: String, quality: ImageQuality)] = []
    for (index, subject) in subjects.enumerated() {
      progress(0.5 + 0.5 * Double(index) / Double(subjects.count))
      let picture = try subject.read()
      let expected = try engine.run(picture, fitting: sizes, by: fit)
      let found = try frozen.run(picture, fitting: sizes, by: fit)
      do { results.append((subject.name, try compare(expected, found))) } catch {
        throw error.inFile(subject.name)
      }
    }
    progress(1)
    pictures = results
    self.folder = folder
  }
}

/// The sums of the means, variances and squared means of a value's channels over pictures.
private struct MomentsOfChannels {
  private var count = 0.0
  private var means: [Double]
  private var squares: [Double]

  init(channels: Int) {
    means = [Double](repeating: 0, count: channels)
    squares = means
  }

  mutating func add(_ map: borrowing ObservedMap) {
    count += 1
    for (channel, statistics) in map.channelStatistics.enumerated() {
      means[channel] += statistics.mean
      squares[channel] += statistics.variance + statistics.mean * statistics.mean
    }
  }

  var statistics: FreezeNorms.Statistics {
    let means = means.map { $0 / count }
    return FreezeNorms.Statistics(
      means: means, variances: zip(squares, means).map { max(0, $0 / count - $1 * $1) })
  }
}
