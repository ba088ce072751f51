import Diagnostics
import ModelGraph
import PictureTracing
import Tensors

extension NetworkConversion {
  /// `Concat` of pictures along their channels; of a picture with itself along any axis, which repeats it.
  mutating func convertConcat() throws(StyleModelError) -> ImportedValue {
    if try joinsOneWithItself() { return try convertLayout() }
    let rank = try picture(0).arrangements[0].shape.count
    guard rank == 4, soundAxis(try node.integer("axis", default: 1), rank: rank) == 1,
      node.inputs.count <= 64
    else {
      throw StyleModelError(
        .badInput, "joins several pictures along another axis than their channels, which is not understood")
    }
    var pictures: [ValueID] = []
    for index in node.inputs.indices { pictures.append(try plain(index)) }
    let whole = try joined(pictures)
    return .picture(try shown(whole))
  }

  /// `Split` of a picture's channels.
  mutating func convertSplit() throws(StyleModelError) -> [ImportedValue] {
    let value = try plain()
    let channels = try probes.channels(value)
    guard soundAxis(try node.integer("axis", default: 0), rank: 4) == 1 else {
      throw StyleModelError(.badInput, "splits a picture along another axis than its channels")
    }
    let parts = node.outputs.count
    let size = (channels + parts - 1) / max(parts, 1)
    let sizes =
      if let given = try list("split", 1) {
        try agreed("its parts", probes.alive.map { given[$0] })
      } else {
        (0..<parts).map { min(size, channels - $0 * size) }
      }
    guard sizes.count == parts, parts <= channels, sizes.allSatisfy({ (1...channels).contains($0) }),
      sizes.reduce(0, +) == channels
    else { throw StyleModelError(.badInput, "splits \(channels) channels into \(sizes.prefix(16))") }
    var results: [ImportedValue] = []
    var start = 0
    for size in sizes {
      let part = try selected(value, Array(start..<start + size))
      results.append(.picture(try shown(part)))
      start += size
    }
    return results
  }

  /// `Gather` of a picture's channels.
  mutating func convertGather() throws(StyleModelError) -> ImportedValue {
    let value = try plain()
    let channels = try probes.channels(value)
    guard soundAxis(try node.integer("axis", default: 0), rank: 4) == 1, let indices = try fixed(1),
      indices.shape.count == 1, let list = indices.integers, list.count <= 1 << 16
    else { throw StyleModelError(.badInput, "takes other parts of a picture than channels by a list") }
    let part = try selected(value, list.map { $0 < 0 ? $0 + channels : $0 })
    return .picture(try shown(part))
  }

  /// Whether all inputs are the same picture in the same order.
  private func joinsOneWithItself() throws(StyleModelError) -> Bool {
    let first = try picture(0)
    for index in node.inputs.indices {
      let other = try picture(index)
      guard other.term == first.term, other.arrangements == first.arrangements else { return false }
    }
    return true
  }
}
