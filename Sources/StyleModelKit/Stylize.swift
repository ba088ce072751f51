public import Runtime

extension Engine {
  /// Makes an engine for a model as it is best run: after every exact pass.
  /// - Parameter threads: how many threads compute; nil is one for each core. Results do not depend on it.
  public convenience init(model: Model, threads: Int? = nil) throws(StyleModelError) {
    let graph = try model.optimizedGraph().graph
    do { try self.init(graph, threads: threads) } catch {
      throw error.inFile(model.path)
    }
  }
}

extension Engine {
  /// Runs the network on a picture file and writes the result, in the format that the output's name ends in: `.png` and
  /// `.jpg` rounded as the network's author rounds, `.npy` as floats.
  /// - Parameters:
  ///   - picture: a `.png`, `.jpg` or `.npy` file.
  ///   - output: the file to write; what stood there is kept where writing fails.
  ///   - fit: how the picture is brought to a size that the network allows.
  ///   - background: what shows through transparent pixels.
  /// - Returns: what was done to the picture as it was read, one sentence each.
  /// - Throws: when the picture cannot be read, or the result not written; `.gateFailed` when the result is not finite.
  @discardableResult
  public func stylize(
    _ picture: String, to output: String, fit: PictureFit = .resize, background: Background = .white
  ) throws(StyleModelError) -> [String] {
    let decoded = try readPicture(picture, background: background)
    do throws(StyleModelError) {
      let result = try run(decoded.picture, fitting: graph.contract.sizes, by: fit)
      let count = result.nonFiniteCount
      guard count == 0 else {
        throw StyleModelError(
          .gateFailed, file: picture, "becomes \(counted(count, "sample")) that are not finite numbers",
          remedy: "'stylemodel inspect' says whether the weights are finite")
      }
      try writePicture(result, to: output, rounding: graph.contract.rounding.forPictures)
    } catch { throw error.inFile(picture) }
    return decoded.notes
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
