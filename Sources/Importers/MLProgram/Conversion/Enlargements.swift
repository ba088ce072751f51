import Diagnostics
import ModelGraph
import Tensors

extension ProgramConversion {
  /// Enlargements by whole factors, however they are spelt.
  mutating func convertEnlargement() throws(StyleModelError) -> ProgramTerm {
    let input = try picture()
    let value = try computed(input.term)
    guard input.axes == FlowingPicture.usualAxes else {
      throw StyleModelError(.badInput, "resizes a picture whose last axes are not height and width")
    }
    let factor = try enlargementFactor(value)
    guard factor != .one else { return .picture(input) }
    return try emitted(.upsample(Upsample(input: value, factor: factor, mode: try samplingMode())))
  }

  private mutating func samplingMode() throws(StyleModelError) -> Upsample.Mode {
    switch operation.type {
    case "upsample_nearest_neighbor", "resize_nearest_neighbor": return .nearest
    case "upsample_bilinear":
      guard try integer("align_corners", default: 1) == 0 else { throw unknownSampling("align_corners") }
      return .bilinear
    default:
      let mode = try word("sampling_mode", default: "DEFAULT")
      if operation.type == "resize",
        try word("interpolation_mode", default: "LINEAR") == "NEAREST_NEIGHBOR"
      {
        // By whole factors both repeat each pixel.
        guard mode == "DEFAULT" || mode == "UNALIGN_CORNERS" else { throw unknownSampling(mode) }
        return .nearest
      }
      guard mode == "UNALIGN_CORNERS" else { throw unknownSampling(mode) }
      return .bilinear
    }
  }

  private func unknownSampling(_ mode: String) -> StyleModelError {
    StyleModelError(
      .badInput, "resizes with the sampling mode '\(printable(mode, limit: 40))'",
      remedy: "nearest pixels repeated, and bilinear without aligned corners, are understood")
  }

  private mutating func enlargementFactor(_ value: ValueID) throws(StyleModelError) -> Pair {
    let height: [[Double]]?
    let width: [[Double]]?
    let givesSizes: Bool
    switch operation.type {
    case "upsample_nearest_neighbor", "upsample_bilinear":
      height = try listsBySize("scale_factor_height")
      width = try listsBySize("scale_factor_width")
      givesSizes = false
    case "resize":
      guard let shape = try listsBySize("shape"), try integer("resized_dims", default: 2) == 2,
        shape.allSatisfy({ $0.count >= 2 })
      else { throw StyleModelError(.badInput, "resizes other axes than height and width") }
      height = shape.map { [$0[$0.count - 2]] }
      width = shape.map { [$0[$0.count - 1]] }
      givesSizes = true
    default:
      height = try listsBySize("target_size_height")
      width = try listsBySize("target_size_width")
      givesSizes = true
    }
    func factor(_ given: [Double]?, _ extent: Int) throws(StyleModelError) -> Int {
      // Without a factor the extent stays, and so it does by an extent of 0.
      guard let number = given?.first, number != 0 || !givesSizes else { return 1 }
      let ratio = givesSizes ? number / Double(extent) : number
      guard let whole = Int(exactly: ratio), (1...4096).contains(whole) else {
        throw StyleModelError(
          .badInput, "resizes \(extent) pixels by \(ratio)",
          remedy: "enlargements by whole factors are understood")
      }
      return whole
    }
    var found: [Pair] = []
    for size in probes.alive {
      let shape = try probes.shape(value, at: size)
      found.append(Pair(try factor(height?[size], shape[2]), try factor(width?[size], shape[3])))
    }
    return try agreed("its scales", found)
  }
}
