public import ModelGraph

/// What a `.stylemodel` file holds: a network, what its pixels mean, and where it comes from.
public struct StyleModel: Hashable, Sendable {
  /// The network, with its pixel contract.
  public var graph: Graph
  /// Where it comes from.
  public var provenance: Provenance

  /// Creates a model.
  public init(graph: Graph, provenance: Provenance) {
    self.graph = graph
    self.provenance = provenance
  }
}

/// Where a model comes from, and how it was made.
public struct Provenance: Hashable, Sendable {
  /// The name of the file that it was converted from, without folders.
  public var sourceName: String
  /// The length of that file, in bytes.
  public var sourceByteCount: Int
  /// The SHA-256 digest of that file, 32 bytes.
  public var sourceSHA256: [UInt8]
  /// The options of the conversion, one string an argument: `["--bits", "4", "--affine"]`.
  public var options: [String]
  /// The program that wrote the file, with its version.
  public var tool: String
  /// The recipe that the network was recognised by, or nil where the source held a graph.
  public var recipe: String?

  /// Records the origin of a model.
  /// - Parameters:
  ///   - sourceName: without folders.
  ///   - sourceSHA256: 32 bytes.
  public init(
    sourceName: String, sourceByteCount: Int, sourceSHA256: [UInt8], options: [String], tool: String,
    recipe: String? = nil
  ) {
    self.sourceName = sourceName
    self.sourceByteCount = sourceByteCount
    self.sourceSHA256 = sourceSHA256
    self.options = options
    self.tool = tool
    self.recipe = recipe
  }
}
