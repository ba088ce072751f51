import CSchemas
import Diagnostics
import ModelGraph
import PictureTracing
import ProtobufSupport

extension LayerConversion {
  /// `upsample`, `resizeBilinear` and `reorganizeData`.
  mutating func convertEnlargement() throws(StyleModelError) -> PictureValue {
    let (input, rank) = try plainPicture()
    switch layer.layer_case {
    case COREML__LAYER__LAYER_UPSAMPLE: return try upsampled(input, rank, layer.upsample.pointee)
    case COREML__LAYER__LAYER_RESIZE_BILINEAR:
      let params = layer.resize_bilinear.pointee
      let size = numbers(params.target_size, params.n_target_size)
      guard size.isEmpty || size.count == 2, size.allSatisfy({ (1...1 << 16).contains($0) }) else {
        throw StyleModelError(.badInput, "resizes to \(size.prefix(8)); a height and a width are wanted")
      }
      let target = size.isEmpty ? Pair.one : Pair(Int(size[0]), Int(size[1]))
      let placement: Resize.Placement
      switch params.mode?.pointee.sampling_method ?? 0 {
      // The two differ in what they make of a single row or column.
      case 0: placement = .corners
      case 1 where target.vertical > 1 && target.horizontal > 1: placement = .corners
      case 2: placement = .start
      default:
        throw StyleModelError(
          .badInput, "resizes by a sampling method that is not understood",
          remedy: "STRICT_ALIGN_ENDPOINTS_MODE, ALIGN_ENDPOINTS_MODE and UPSAMPLE_MODE are understood")
      }
      return try resized(input, rank, target, placement)
    default:
      let params = layer.reorganize_data.pointee
      guard params.mode == 1 || params.mode == 2 else {
        throw StyleModelError(.badInput, "gathers pixels in channels, which is not understood")
      }
      return try emitPicture(
        depthToSpace: input, block: try extent(params.block_size, "pixels in a block"),
        blockIsInner: params.mode == 2, rank: rank)
    }
  }

  private mutating func upsampled(
    _ input: ValueID, _ rank: Int, _ params: Coreml__Upsample
  ) throws(StyleModelError) -> PictureValue {
    let factors = try upsamplingFactors(params)
    switch (params.mode, params.linear_upsample_mode) {
    case _ where factors == .one: return try shown(input, rank: rank)
    case (0, _):
      return try emitPicture(.upsample(Upsample(input: input, factor: factors, mode: .nearest)), rank: rank)
    case (1, 2):
      return try emitPicture(.upsample(Upsample(input: input, factor: factors, mode: .bilinear)), rank: rank)
    case (1, let mode) where mode == 0 || mode == 1:
      var sizes: [[Int]] = []
      for probe in probes.alive {
        let extents = try probes.extents(input, probe)
        sizes.append([extents.height * factors.vertical, extents.width * factors.horizontal])
      }
      let size = try agreed("the size it enlarges to", sizes)
      return try resized(input, rank, Pair(size[0], size[1]), mode == 0 ? .start : .corners)
    default: throw StyleModelError(.badInput, "enlarges by an unknown mode \(params.mode)")
    }
  }

  private func upsamplingFactors(_ params: Coreml__Upsample) throws(StyleModelError) -> Pair {
    var list = numbers(params.scaling_factor, params.n_scaling_factor).map { Int(clamping: $0) }
    if list.isEmpty {
      for factor in numbers(params.fractional_scaling_factor, params.n_fractional_scaling_factor) {
        guard let whole = Int(exactly: factor) else {
          throw StyleModelError(
            .badInput, "enlarges by \(factor)", remedy: "enlargements by whole factors are understood")
        }
        list.append(whole)
      }
    }
    if list.isEmpty { return .one }
    guard list.count == 2, list.allSatisfy({ (1...4096).contains($0) }) else {
      throw StyleModelError(.badInput, "enlarges by factors \(list.prefix(8))")
    }
    return Pair(list[0], list[1])
  }

  private mutating func resized(
    _ input: ValueID, _ rank: Int, _ size: Pair, _ placement: Resize.Placement
  ) throws(StyleModelError) -> PictureValue {
    let resize = Resize(input: input, size: size, placement: placement)
    var changes = false
    for probe in probes.alive {
      let extents = try probes.extents(input, probe)
      if extents.height != size.vertical || extents.width != size.horizontal { changes = true }
    }
    return changes ? try emitPicture(.resize(resize), rank: rank) : try shown(input, rank: rank)
  }
}
