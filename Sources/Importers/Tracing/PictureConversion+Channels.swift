package import Diagnostics
package import ModelGraph
import Tensors

/// Channels that are put together, taken apart or moved. The graph has no operations of their own for this; a convolution
/// of one tap whose weights are ones and zeros does the same, number by number.
extension PictureConversion {
  /// The pictures' channels one after the other.
  package mutating func joined(_ pictures: [ValueID]) throws(StyleModelError) -> ValueID {
    var counts: [Int] = []
    for picture in pictures { counts.append(try probes.channels(picture)) }
    let total = counts.reduce(0, +)
    var offset = 0
    var sum: ValueID?
    for (picture, count) in zip(pictures, counts) {
      let places = (0..<total).map { $0 - offset }
      let part = try moved(picture, places.map { (0..<count).contains($0) ? $0 : nil })
      if let left = sum { sum = try probes.emit(.binary(Binary(.add, left, part))) } else { sum = part }
      offset += count
    }
    guard let sum else { throw StyleModelError(.badInput, "joins no pictures at all") }
    return sum
  }

  /// Some of a picture's channels, in this order.
  package mutating func selected(_ picture: ValueID, _ channels: [Int]) throws(StyleModelError) -> ValueID {
    let count = try probes.channels(picture)
    guard !channels.isEmpty, channels.allSatisfy({ (0..<count).contains($0) }) else {
      throw StyleModelError(.badInput, "takes channels \(channels.prefix(8)) of \(count)")
    }
    return channels == Array(0..<count) ? picture : try moved(picture, channels)
  }

  /// For each channel of the result the one that it is, or nil for zeros.
  private mutating func moved(_ picture: ValueID, _ sources: [Int?]) throws(StyleModelError) -> ValueID {
    let count = try probes.channels(picture)
    let size = try Numbers.count([sources.count, count])
    try spend(size)
    var weights = [Float](repeating: 0, count: size)
    for (result, source) in sources.enumerated() {
      if let source { weights[result * count + source] = 1 }
    }
    let kernel = probes.constant(
      "channels.\(count).\(sources.count)",
      StoredTensor(shape: Shape([sources.count, count, 1, 1]), floats: weights))
    return try probes.emit(.convolution(Convolution(input: picture, weight: kernel)))
  }
}
