public import Runtime

extension Engine {
  /// Makes an engine for a model as it is best run: after every exact pass.
  /// - Parameters:
  ///   - threads: how many threads compute; nil is one for each core. Results do not depend on it.
  ///   - precision: what weights and the numbers between the layers are held in.
  public convenience init(
    model: Model, threads: Int? = nil, precision: ComputePrecision = .float32
  ) throws(StyleModelError) {
    let graph = try model.optimizedGraph().graph
    do { try self.init(graph, threads: threads, precision: precision) } catch {
      throw error.inFile(model.path)
    }
  }
}

extension PixelContract.Rounding {
  /// The same rule by the name that pictures know it by.
  public var forPictures: Imaging.Rounding {
    switch self {
    case .nearestEven: .nearestEven
    case .halfUp: .halfUp
    case .truncate: .truncate
    }
  }
}
