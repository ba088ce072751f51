public import Runtime

extension Engine {
  /// Makes an engine for a model as it is best run: after every exact pass.
  /// - Parameters:
  ///   - threads: how many threads compute; nil is one for each core. Results do not depend on it.
  ///   - precision: what weights and the numbers between the layers are held in.
  ///   - memoryLimit: how much memory the process may take.
  public convenience init(
    model: Model, threads: Int? = nil, precision: ComputePrecision = .float32,
    memoryLimit: MemoryLimit = .physical
  ) throws(StyleModelError) {
    let graph = try model.optimizedGraph().graph
    do { try self.init(graph, threads: threads, precision: precision, memoryLimit: memoryLimit) } catch {
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
  ///   - observer: is told how far the run is, and what overflowed.
  /// - Returns: what was done to the picture as it was read, one sentence each.
  /// - Throws: when the picture cannot be read, or the result not written; `.gateFailed` when the result is not finite.
  @discardableResult
  public func stylize(
    _ picture: String, to output: String, fit: PictureFit = .resize, background: Background = .white,
    observer: RunObserver = RunObserver()
  ) throws(StyleModelError) -> [String] {
    var notes: [String] = []
    do throws(StyleModelError) {
      // Handed over, so that its memory is free as soon as the network has seen it all.
      let result = try run(
        readPicture(picture, background: background, notes: &notes), fitting: graph.contract.sizes, by: fit,
        observer: observer)
      let count = result.nonFiniteCount
      guard count == 0 else {
        throw StyleModelError(
          .gateFailed, file: picture,
          "becomes \(counted(count, "sample")) in \(counted(result.nonFinitePixelCount, "pixel")) that are not finite "
            + "numbers",
          remedy: precision == .float32
            ? "'stylemodel inspect' says whether the weights are finite"
            : "the network needs --compute fp32 on this picture")
      }
      try writePicture(result, to: output, rounding: graph.contract.rounding.forPictures)
    } catch { throw error.inFile(picture) }
    return notes
  }
}

/// Reads a picture and adds what was done to it.
private func readPicture(
  _ path: String, background: Background, notes: inout [String]
) throws(StyleModelError) -> Picture {
  let decoded = try readPicture(path, background: background)
  notes += decoded.notes
  return decoded.picture
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
