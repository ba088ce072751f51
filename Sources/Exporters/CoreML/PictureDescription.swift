import Diagnostics
import ModelGraph
import ProtobufSupport
import Tensors

/// The picture that a model takes and the one that it gives: their sizes and how they are described.
struct PictureDescription {
  /// The sizes that go in.
  let sizes: PixelContract.Sizes
  private let channelOrder: PixelContract.ChannelOrder
  /// The size that apps get if they ask for none.
  private let usual: PictureSize
  /// The sizes that come out, for those that are listed or for the ends of the range.
  private let results: PixelContract.Sizes
  private let usualResult: PictureSize

  /// Whether there is more than one size.
  var isFlexible: Bool { fixedSize == nil }

  /// The size, if there is just one.
  var fixedSize: PictureSize? {
    if case .listed(let listed) = sizes, listed.count == 1 { listed[0] } else { nil }
  }

  /// - Throws: `.badInput` when the network cannot take one of the sizes.
  init(_ graph: Graph) throws(StyleModelError) {
    channelOrder = graph.contract.channelOrder
    usual = graph.sampleSize
    usualResult = try Self.result(of: usual, graph)
    switch graph.contract.sizes {
    case .listed(let listed):
      sizes = .listed(listed)
      var made: [PictureSize] = []
      for size in listed { made.append(try Self.result(of: size, graph)) }
      results = .listed(made)
    case .range(let width, let height):
      sizes = .range(width: width, height: height)
      let least = try Self.result(of: PictureSize(width: width.lower, height: height.lower), graph)
      let greatest = try Self.result(
        of: PictureSize(width: width.upper ?? usual.width, height: height.upper ?? usual.height), graph)
      results = .range(
        width: ClosedSizeRange(lower: least.width, upper: width.upper.map { _ in greatest.width }),
        height: ClosedSizeRange(lower: least.height, upper: height.upper.map { _ in greatest.height }))
    case .any:
      let least = Self.leastExtent(graph)
      let range = ClosedSizeRange(lower: least, upper: nil)
      sizes = .range(width: range, height: range)
      let made = try Self.result(of: PictureSize(width: least, height: least), graph)
      results = .range(
        width: ClosedSizeRange(lower: made.width, upper: nil),
        height: ClosedSizeRange(lower: made.height, upper: nil))
    }
  }

  /// The size of the picture that comes of one of `size`, once what strides have added is cut off.
  static func result(of size: PictureSize, _ graph: Graph) throws(StyleModelError) -> PictureSize {
    let output = try untrimmed(size, graph)
    return graph.trimmedSize(output, for: size)
  }

  /// The size of the network's own output.
  static func untrimmed(_ size: PictureSize, _ graph: Graph) throws(StyleModelError) -> PictureSize {
    guard let shape = try graph.shapes(for: size)[graph.output], shape.rank == 4 else {
      throw StyleModelError(.internalFault, "the output has no shape")
    }
    return PictureSize(width: shape[3], height: shape[2])
  }

  /// The least height and width, from the usual 64 on, that a network without sizes of its own takes.
  private static func leastExtent(_ graph: Graph) -> Int {
    (64...Graph.probeSize.width).first { extent in
      (try? graph.shapes(for: PictureSize(width: extent, height: extent))) != nil
    } ?? Graph.probeSize.width
  }

  /// Writes the picture that goes in as a field of a `ModelDescription`.
  func writeInput(to writer: inout ProtobufWriter, name: String) {
    feature(&writer, 1, name, "the picture", usual, sizes)
  }

  /// Writes the picture that comes out.
  func writeOutput(to writer: inout ProtobufWriter, name: String) {
    feature(&writer, 10, name, "the picture in the style", usualResult, results)
  }

  private func feature(
    _ writer: inout ProtobufWriter, _ field: Int, _ name: String, _ text: String, _ size: PictureSize,
    _ sizes: PixelContract.Sizes
  ) {
    writer.message(field) { feature in
      feature.text(1, name)
      feature.text(2, text)
      feature.message(3) { type in type.message(4) { image(&$0, size, sizes) } }
    }
  }

  /// Writes the fields of an `ImageFeatureType`.
  private func image(_ writer: inout ProtobufWriter, _ size: PictureSize, _ sizes: PixelContract.Sizes) {
    writer.number(1, size.width)
    writer.number(2, size.height)
    writer.number(3, channelOrder == .rgb ? 20 : 30)
    switch sizes {
    case .listed(let listed) where listed.count > 1:
      writer.message(21) { enumerated in
        for size in listed {
          enumerated.message(1) { entry in
            entry.number(1, size.width)
            entry.number(2, size.height)
          }
        }
      }
    case .listed, .any: break
    case .range(let width, let height):
      writer.message(31) { ranges in
        for (field, range) in [(1, width), (2, height)] {
          ranges.message(field) { bounds in
            bounds.number(1, range.lower)
            bounds.number(2, range.upper ?? -1)
          }
        }
      }
    }
  }
}
