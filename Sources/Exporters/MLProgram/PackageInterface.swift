import Diagnostics
import ModelGraph
import ProtobufSupport
import Tensors

/// The picture that a package takes and the one that it gives: their sizes and how they are described.
struct PackageInterface {
  /// The sizes that go in.
  let sizes: PixelContract.Sizes
  /// The size that apps get if they ask for none.
  let defaultSize: PictureSize
  private let channelOrder: PixelContract.ChannelOrder
  /// The sizes that come out for those that are listed, the default's first.
  private let results: [PictureSize]

  /// The size, if there is just one.
  var fixedSize: PictureSize? {
    if case .listed(let listed) = sizes, listed.count == 1 { listed[0] } else { nil }
  }

  init(_ graph: Graph) throws(StyleModelError) {
    channelOrder = graph.contract.channelOrder
    defaultSize = graph.sampleSize
    switch graph.contract.sizes {
    case .listed(let listed): sizes = .listed(listed)
    case .range(let width, let height): sizes = .range(width: width, height: height)
    case .any:
      let least = Self.leastExtent(graph)
      let range = ClosedSizeRange(lower: least, upper: nil)
      sizes = .range(width: range, height: range)
    }
    var listed = [defaultSize]
    if case .listed(let all) = sizes { listed = all }
    var results: [PictureSize] = []
    for size in listed {
      let shape = try graph.shapes(for: size)[graph.output] ?? []
      guard shape.rank == 4 else { throw StyleModelError(.internalFault, "the output has no shape") }
      results.append(PictureSize(width: shape[3], height: shape[2]))
    }
    self.results = results
  }

  /// The least height and width that a network without sizes of its own can take.
  private static func leastExtent(_ graph: Graph) -> Int {
    (1...Graph.probeSize.width).first { extent in
      (try? graph.shapes(for: PictureSize(width: extent, height: extent))) != nil
    } ?? Graph.probeSize.width
  }

  /// Writes the fields of a message `ModelDescription`.
  func write(to writer: inout ProtobufWriter, input: String, output: String) {
    writer.message(1) { feature in
      feature.text(1, input)
      feature.text(2, "the picture")
      feature.message(3) { $0.message(4) { image(&$0, defaultSize, sizes) } }
    }
    let outputSizes: PixelContract.Sizes
    switch sizes {
    case .listed: outputSizes = .listed(results)
    case .range, .any:
      let open = ClosedSizeRange(lower: 1, upper: nil)
      outputSizes = .range(width: open, height: open)
    }
    writer.message(10) { feature in
      feature.text(1, output)
      feature.text(2, "the picture in the style")
      feature.message(3) { $0.message(4) { image(&$0, results[0], outputSizes) } }
    }
  }

  /// Writes the fields of a message `ImageFeatureType`.
  private func image(
    _ writer: inout ProtobufWriter, _ size: PictureSize, _ sizes: PixelContract.Sizes
  ) {
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
