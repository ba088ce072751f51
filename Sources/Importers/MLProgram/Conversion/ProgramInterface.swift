import Diagnostics
import ModelGraph

/// How a model hands over the picture that goes in and the one that comes out.
struct ProgramInterface {
  /// The order of the axes of the tensor that goes in.
  let axes: [PictureAxis]
  /// The order of the channels, where an end is a picture; red first otherwise.
  let channelOrder: PixelContract.ChannelOrder
  /// The sizes that may go in.
  let sizes: PixelContract.Sizes
  /// Whether the ends are pictures.
  let saysInput: Bool
  let saysOutput: Bool

  /// - Throws: `.badInput` when what goes in is no picture of three channels, or the ends disagree.
  init(
    _ file: ProgramFile, input: (name: String, type: Program.TensorType), output: String
  ) throws(StyleModelError) {
    let place = "input '\(printable(input.name, limit: 80))'"
    func problem(_ text: String, remedy: String? = nil) -> StyleModelError {
      StyleModelError(.badInput, place: place, text, remedy: remedy)
    }
    guard input.type.type.isFloat else { throw problem("is no picture of floats, but of \(input.type.type)") }
    let extents = input.type.extents
    let names = extents.map { $0.map(String.init) ?? "?" }.joined(separator: ", ")
    guard extents.count == 4 || extents.count == 3 else {
      throw problem("has shape [\(names)]; a picture is [1, 3, H, W]")
    }
    let batch: [PictureAxis] = extents.count == 4 ? [.one] : []
    guard batch.isEmpty || extents[0] == 1 || extents[0] == nil else {
      throw problem("takes several pictures at once: [\(names)]", remedy: "convert it with a batch of 1")
    }
    let picture = extents.suffix(3)
    let isLast = picture.first != 3 && picture.last == 3
    guard isLast || picture.first == 3 || picture.first == .some(nil) else {
      throw problem("has shape [\(names)]; a picture has 3 channels")
    }
    axes = batch + (isLast ? [.row, .column, .channel] : [.channel, .row, .column])
    let before = file.inputs.first { $0.name == input.name }?.kind
    let after = file.outputs.first { $0.name == output }?.kind
    var orders: [PixelContract.ChannelOrder] = []
    switch before {
    case .image(let order, let sizes)?:
      orders.append(order)
      self.sizes = sizes
      saysInput = true
    case .array(let extents)?:
      guard let sizes = extents.pictureSizes(axes) else {
        throw problem("has no sizes that a picture can have")
      }
      self.sizes = sizes
      saysInput = false
    case .other(let kind)?: throw problem("is \(kind); a style network takes a picture of three channels")
    case nil: throw problem("is not in the model's description")
    }
    switch after {
    case .image(let order, _)?:
      orders.append(order)
      saysOutput = true
    case .array?: saysOutput = false
    case .other(let kind)?:
      throw StyleModelError(.badInput, place: "output '\(printable(output, limit: 80))'", "is \(kind)")
    case nil:
      throw StyleModelError(
        .badInput, place: "output '\(printable(output, limit: 80))'", "is not in the model's description")
    }
    guard orders.allSatisfy({ $0 == orders[0] }) else {
      throw problem("has its channels in another order than the output, which is not understood")
    }
    channelOrder = orders.first ?? .rgb
  }
}

extension ProgramFeature.ArrayExtents {
  /// The sizes of pictures that arrays of these shapes hold, or nil where an axis is missing.
  fileprivate func pictureSizes(_ axes: [PictureAxis]) -> PixelContract.Sizes? {
    guard let row = axes.firstIndex(of: .row), let column = axes.firstIndex(of: .column) else { return nil }
    switch self {
    case .listed(let shapes):
      guard !shapes.isEmpty, shapes.allSatisfy({ $0.count == axes.count }) else { return nil }
      return .listed(shapes.map { PictureSize(width: $0[column], height: $0[row]) })
    case .range(let ranges):
      guard ranges.count == axes.count else { return nil }
      return .range(width: ranges[column], height: ranges[row])
    }
  }
}
