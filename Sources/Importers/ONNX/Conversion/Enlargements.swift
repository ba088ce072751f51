import Diagnostics
import ModelGraph
import PictureTracing
import Tensors

extension NetworkConversion {
  /// `Upsample` and `Resize`, by whole factors.
  mutating func convertEnlargement() throws(StyleModelError) -> ImportedValue {
    let input = try plain()
    let factor = try enlargementFactor(input)
    let rule = try samplingRule()
    guard factor != .one else { return .picture(try shown(input)) }
    return try emitted(.upsample(Upsample(input: input, factor: factor, mode: try rule.mode(factor))))
  }

  /// How output pixels are placed over input pixels.
  private struct SamplingRule {
    let mode: String
    let coordinates: String
    let nearest: String

    /// The mode of ours that does the same.
    func mode(_ factor: Pair) throws(StyleModelError) -> Upsample.Mode {
      switch mode {
      case "nearest":
        let works = [factor.vertical, factor.horizontal].allSatisfy { factor in
          (0..<7 * factor).allSatisfy { source($0, factor) == $0 / factor }
        }
        if works { return .nearest }
      case "linear", "bilinear":
        if coordinates.hasSuffix("half_pixel") { return .bilinear }
      default: break
      }
      throw StyleModelError(
        .badInput,
        "resizes by mode '\(mode)' with coordinates '\(coordinates)'"
          + (mode == "nearest" ? " and nearest_mode '\(nearest)'" : ""),
        remedy: "nearest pixels repeated, and bilinear with half_pixel (align_corners=False), are understood")
    }

    /// The input pixel that output pixel `index` of seven enlarged ones shows.
    private func source(_ index: Int, _ factor: Int) -> Int? {
      let place = Double(index)
      let scale = Double(factor)
      let position: Double
      switch coordinates {
      case "asymmetric": position = place / scale
      case "half_pixel", "pytorch_half_pixel": position = (place + 0.5) / scale - 0.5
      case "tf_half_pixel_for_nn": position = (place + 0.5) / scale
      case "align_corners": position = place * 6 / (7 * scale - 1)
      default: return nil
      }
      let rounded: Double
      switch nearest {
      case "floor": rounded = position.rounded(.down)
      case "ceil": rounded = position.rounded(.up)
      case "round_prefer_floor": rounded = (position - 0.5).rounded(.up)
      case "round_prefer_ceil": rounded = (position + 0.5).rounded(.down)
      default: return nil
      }
      return Int(min(max(rounded, 0), 6))
    }
  }

  private func samplingRule() throws(StyleModelError) -> SamplingRule {
    let mode = try node.word("mode", default: "nearest")
    // Before operator set 11 there was one rule, which no attribute names.
    guard node.operation == "Resize", operatorSet >= 11 else {
      return SamplingRule(mode: mode, coordinates: "asymmetric", nearest: "floor")
    }
    return SamplingRule(
      mode: mode, coordinates: try node.word("coordinate_transformation_mode", default: "half_pixel"),
      nearest: try node.word("nearest_mode", default: "round_prefer_floor"))
  }

  private func enlargementFactor(_ input: ValueID) throws(StyleModelError) -> Pair {
    guard ["", "stretch"].contains(try node.word("keep_aspect_ratio_policy", default: "")) else {
      throw StyleModelError(.badInput, "keeps an aspect ratio, which is not understood")
    }
    let axes = try node.integers("axes")?.compactMap { soundAxis($0, rank: 4) } ?? [0, 1, 2, 3]
    let isNew = node.operation == "Resize" && operatorSet >= 11
    var scales: [Numbers]?
    if let list = try node.numbers("scales") {
      scales = Array(repeating: Numbers(shape: [list.count], .floats(list)), count: probes.count)
    } else if let vertical = node.attributes["height_scale"], case .number(let down) = vertical {
      let list = [1, 1, down, try node.number("width_scale", default: 1)]
      scales = Array(repeating: Numbers(shape: [4], .floats(list)), count: probes.count)
    } else {
      scales = try known(isNew ? 2 : 1)
    }
    let sizes = isNew ? try known(3) : nil
    var found: [Pair] = []
    for probe in probes.alive {
      let extents = try probes.extents(input, probe)
      let old = [1, extents.channels, extents.height, extents.width]
      var factors = [1, 1, 1, 1]
      func set(_ axis: Int, _ ratio: Double) throws(StyleModelError) {
        guard let factor = Int(exactly: ratio), (1...4096).contains(factor), axis >= 2 || factor == 1 else {
          throw StyleModelError(
            .badInput, "resizes axis \(axis) by \(ratio)",
            remedy: "enlargements of height and width by whole factors are understood")
        }
        factors[axis] = factor
      }
      if let list = scales?[probe].floats, !list.isEmpty {
        guard list.count == axes.count else { throw StyleModelError(.badInput, "has \(list.count) scales") }
        for (axis, scale) in zip(axes, list) { try set(axis, Double(scale)) }
      } else if let list = sizes?[probe].integers, list.count == axes.count {
        for (axis, size) in zip(axes, list) { try set(axis, Double(size) / Double(old[axis])) }
      } else {
        throw StyleModelError(.badInput, "has neither scales nor sizes")
      }
      found.append(Pair(factors[2], factors[3]))
    }
    return try agreed("its scales", found)
  }
}
