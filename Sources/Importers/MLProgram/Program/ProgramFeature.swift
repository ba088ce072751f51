import ModelGraph

/// What a model's description says of a value that goes in or comes out.
struct ProgramFeature {
  /// How it is handed over.
  enum Kind {
    /// A picture with its channels in this order.
    case image(order: PixelContract.ChannelOrder, sizes: PixelContract.Sizes)
    /// Numbers in the shape that the program has.
    case array(extents: ArrayExtents)
    /// Another kind, in words.
    case other(String)
  }

  /// The shapes that an array may have.
  enum ArrayExtents {
    /// These, the usual one first.
    case listed([[Int]])
    /// From a least to a greatest extent along each axis.
    case range([ClosedSizeRange])
  }

  let name: String
  let kind: Kind
}
