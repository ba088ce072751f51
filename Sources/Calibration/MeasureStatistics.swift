public import Diagnostics
import Evaluation
public import Imaging
public import ModelGraph
import Quantization
import Runtime
import Tensors

/// Sends pictures through a network, and random gradients back, and sums up what each convolution makes of them.
///
/// The same arguments give the same statistics, whatever the number of threads.
/// - Parameters:
///   - graph: the network, in float, as it is to be rounded: folded already.
///   - pictures: at least one, each of a size that the network takes.
///   - progress: is told the share that is done, from 0 to 1.
/// - Throws: `.badInput` when there is no picture, when the network cannot take one of them, or when what it makes of them
///   is not finite; `.usage` when an option is out of range.
public func measureStatistics(
  _ graph: Graph, pictures: [CalibrationPicture], options: CalibrationOptions = CalibrationOptions(),
  progress: (Double) -> Void = { _ in }
) throws(StyleModelError) -> CalibrationStatistics {
  guard !pictures.isEmpty else {
    throw StyleModelError(.badInput, "there is no picture to calibrate with")
  }
  guard (0..<1).contains(options.rampShare), options.probes > 0, options.positions > 0 else {
    throw StyleModelError(
      .usage, "calibration wants a share of ramps below 1, and at least one probe and position")
  }
  let weights = try pictureWeights(graph, pictures, options)
  var sums = try StatisticsSums(graph, threads: options.threads)
  var run: (size: PictureSize, run: GradientRun)?
  for (index, picture) in pictures.enumerated() {
    let size = PictureSize(width: picture.picture.width, height: picture.picture.height)
    if run?.size != size {
      run = nil  // its memory is free before the next one's is taken
      run = (size, try GradientRun(graph, size: size, threads: options.threads))
    }
    guard let run = run?.run, weights[index] > 0 else { continue }
    let output = run.forward(picture.picture)
    guard output.samples.allSatisfy(\.isFinite) else {
      throw StyleModelError(.badInput, place: "picture \(picture.name)", "the network's output is not finite")
    }
    var random = SplitMix64(seed: UInt64(index))
    sums.begin()
    let probes = picture.isRamp ? (options.probes + 1) / 2 : options.probes
    for probe in 0..<probes {
      run.backward(random.probe(output)) { sums.addGradients($0) }
      progress((Double(index) + Double(probe + 1) / Double(probes + 1)) / Double(pictures.count))
    }
    try sums.finish(
      run, weight: weights[index] / Double(output.samples.count * probes),
      positions: options.positions)
    progress(Double(index + 1) / Double(pictures.count))
  }
  return sums.statistics(pictureWeights: weights)
}

/// How much each picture counts: a photograph 1; a ramp so much that all of them make up their share of what rounding does
/// to the pictures, which plain rounding to 6 bits shows.
private func pictureWeights(
  _ graph: Graph, _ pictures: [CalibrationPicture], _ options: CalibrationOptions
) throws(StyleModelError) -> [Double] {
  let ramps = pictures.count(where: \.isRamp)
  guard ramps > 0, ramps < pictures.count else { return pictures.map { _ in 1 } }
  guard options.rampShare > 0 else { return pictures.map { $0.isRamp ? 0 : 1 } }
  let exact = try Engine(graph, threads: options.threads)
  let rounded = try Engine(
    quantized(graph, options: QuantizationOptions(storage: .integers(bits: 6))).graph,
    threads: options.threads)
  var errors: [Double] = []
  for picture in pictures {
    errors.append(meanSquaredError(try exact.run(picture.picture), try rounded.run(picture.picture)))
  }
  let photographs = zip(pictures, errors).reduce(0) { $0 + ($1.0.isRamp ? 0 : $1.1) }
  let share = options.rampShare / (1 - options.rampShare) * photographs / Double(ramps)
  return zip(pictures, errors).map { picture, error in
    guard picture.isRamp else { return 1 }
    return error > 0 ? min(share / error, 1e6) : 1
  }
}

/// The mean squared difference of two pictures' samples, both kept between 0 and 255.
public func meanSquaredError(_ left: Picture, _ right: Picture) -> Double {
  var sum = 0.0
  for (a, b) in zip(left.samples, right.samples) {
    let difference = Double(min(max(a, 0), 255)) - Double(min(max(b, 0), 255))
    sum += difference * difference
  }
  return sum / Double(max(left.samples.count, 1))
}
