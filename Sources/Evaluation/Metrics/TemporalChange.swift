import Diagnostics
import Glibc
import Imaging

/// How much a network's pictures change from one frame of a video to the next, measured on two frames that are nearly
/// equal: what changes then is flicker.
public struct TemporalFigures: Hashable, Sendable {
  /// Two frames that differ by one step up or down in every sample: the noise of a camera.
  public let noise: TemporalChange
  /// Two frames of which the second is the first moved to the right by one pixel; nil where that changes nothing, as
  /// with a flat picture.
  public let shift: TemporalChange?

  /// The definition behind the figures, to be printed beside them.
  public static let definition =
    "flicker: two nearly equal frames, by noise of +1 or -1 on every sample (SplitMix64, seed 6) and by a shift of "
    + "one pixel to the right; the mean squared change of the output per mean squared change of the input, in dB, where "
    + "the output of the shifted frame is compared with the shifted output; extra is the model's less the reference's"
}

/// The change of two networks' outputs between the same two frames.
public struct TemporalChange: Hashable, Sendable {
  /// The reference's mean squared change of output per mean squared change of input.
  public let reference: Double
  /// The same of the candidate.
  public let candidate: Double

  /// Creates a result from figures that were taken elsewhere.
  public init(reference: Double, candidate: Double) {
    self.reference = reference
    self.candidate = candidate
  }

  /// By how many dB the candidate changes more than the reference; negative where it is the steadier one, infinite
  /// where only the candidate changes at all.
  public var extra: Double { reference == candidate ? 0 : ratioInDecibels(candidate / reference) }
}

/// A ratio of powers in dB.
func ratioInDecibels(_ ratio: Double) -> Double { 10 * log10(ratio) }

/// The second frames that a picture is paired with.
struct TemporalFrames {
  let original: Picture
  let noisy: Picture
  /// Nil for a picture that one pixel of shift does not change.
  let shifted: Picture?

  init(_ picture: Picture) {
    original = picture
    noisy = picture.withNoiseOfOneStep
    let moved = picture.movedRight
    shifted = moved == picture ? nil : moved
  }

  /// The figures of two networks.
  /// - Parameters:
  ///   - referenceOutput: what the reference makes of the picture.
  ///   - reference: gives what it makes of another frame.
  ///   - candidateOutput: what the candidate makes of the picture.
  ///   - candidate: gives what it makes of another frame.
  ///   - rounded: whether outputs are rounded to bytes first.
  /// - Throws: what the networks throw, and what `compare` throws.
  func figures(
    referenceOutput: Picture, reference: (Picture) throws(StyleModelError) -> Picture,
    candidateOutput: Picture, candidate: (Picture) throws(StyleModelError) -> Picture, rounded: Bool
  ) throws(StyleModelError) -> TemporalFigures {
    func pair(_ frame: Picture, shift: Int) throws(StyleModelError) -> TemporalChange {
      TemporalChange(
        reference: try change(from: referenceOutput, to: try reference(frame), frame, shift, rounded),
        candidate: try change(from: candidateOutput, to: try candidate(frame), frame, shift, rounded))
    }
    return TemporalFigures(
      noise: try pair(noisy, shift: 0),
      shift: try shifted.map { (frame) throws(StyleModelError) in try pair(frame, shift: 1) })
  }

  private func change(
    from before: Picture, to after: Picture, _ frame: Picture, _ shift: Int, _ rounded: Bool
  ) throws(StyleModelError) -> Double {
    try checkComparable(before, after)
    // A network that enlarges by a whole factor moves by as many pixels.
    let moved = shift * (after.width % frame.width == 0 ? after.width / frame.width : 1)
    let input = meanSquaredChange(
      ClampedPlanes(original, rounded: false), ClampedPlanes(frame, rounded: false), margin: shift)
    let output = meanSquaredChange(
      ClampedPlanes(before, rounded: rounded), ClampedPlanes(after, rounded: rounded), margin: moved,
      movedBy: moved)
    return output / input
  }
}

/// The mean of the squared differences between a frame and the next one.
/// - Parameters:
///   - margin: how many columns at the left are left out.
///   - movedBy: how many columns the next frame's content lies further to the right.
private func meanSquaredChange(
  _ frame: ClampedPlanes, _ next: ClampedPlanes, margin: Int, movedBy: Int = 0
) -> Double {
  frame.samples.withUnsafeBufferPointer { frameSamples in
    next.samples.withUnsafeBufferPointer { nextSamples in
      var total = 0.0
      // A row at a time, so that rounding errors do not grow with the picture.
      for row in stride(from: 0, to: frameSamples.count, by: frame.width) {
        var sum = 0.0
        for x in margin..<frame.width {
          let difference = nextSamples[row + x] - frameSamples[row + x - movedBy]
          sum += difference * difference
        }
        total += sum
      }
      return total / Double(frameSamples.count / frame.width * (frame.width - margin))
    }
  }
}

extension Picture {
  /// The picture with one step added to or taken from every sample, at random but always alike; never beyond 0…255.
  fileprivate var withNoiseOfOneStep: Picture {
    var random = SplitMix64(seed: 6)
    var copy = self
    copy.samples.withUnsafeMutableBufferPointer { samples in
      for index in samples.indices {
        let step: Float = random.next() & 1 == 0 ? 1 : -1
        let value = samples[index] + step
        samples[index] = (0...255).contains(value) ? value : samples[index] - step
      }
    }
    return copy
  }

  /// The picture moved to the right by one pixel; the first column stands twice, the last one is gone.
  fileprivate var movedRight: Picture {
    var copy = self
    copy.samples.withUnsafeMutableBufferPointer { samples in
      for row in stride(from: 0, to: samples.count, by: width * 3) {
        for index in stride(from: row + width * 3 - 1, to: row + 2, by: -1) {
          samples[index] = samples[index - 3]
        }
      }
    }
    return copy
  }
}
