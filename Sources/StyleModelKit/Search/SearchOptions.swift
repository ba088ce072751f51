/// What a search for the best way to store weights looks for.
public enum SearchGoal: Hashable, Sendable {
  /// The smallest file whose PSNR on the worst calibration picture is at least this, in dB.
  case minPSNR(Double)
  /// The file of at most so many bytes whose pictures are nearest to the float network's.
  case maxBytes(Int)

  /// The goal in short, as names of output files end in it: `40dB`, `600000B`.
  public var name: String {
    switch self {
    case .minPSNR(let psnr): Self.text(psnr) + "dB"
    case .maxBytes(let count): "\(count)B"
    }
  }

  /// The goal as a command line says it.
  var arguments: [String] {
    switch self {
    case .minPSNR(let psnr): ["--min-psnr", Self.text(psnr)]
    case .maxBytes(let count): ["--max-bytes", String(count)]
    }
  }

  /// A number in the fewest digits that give it again.
  private static func text(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// How a search is made.
public struct SearchOptions: Sendable {
  /// What is looked for.
  public var goal: SearchGoal
  /// Whether only photographs and textures count, and smooth ramps hardly: files are a fifth smaller, and skies worse.
  public var photosOnly: Bool
  /// Whether integers may be entropy-coded.
  public var isEntropyCoded: Bool
  /// Tensors that stay bit for bit as they are, as in `QuantizationOptions.keep`.
  public var keep: [String]
  /// The pictures that count.
  public var calibration: CalibrationSet
  /// How the network was read, for the record in the file.
  public var importOptions: ImportOptions
  /// The sizes of pictures that the result allows; nil is those of the source.
  public var sizes: PixelContract.Sizes?
  /// The source with its live norms frozen, which is then converted in its place.
  public var frozen: FrozenNorms?
  /// How many threads compute; nil is one for each core. The result does not depend on it.
  public var threads: Int?

  /// Creates options.
  /// - Parameters:
  ///   - goal: what is looked for.
  ///   - photosOnly: whether smooth ramps hardly count.
  ///   - isEntropyCoded: whether integers may be entropy-coded.
  ///   - keep: tensors that stay bit for bit as they are.
  ///   - calibration: the pictures that count.
  ///   - importOptions: how the network was read.
  ///   - sizes: the sizes of pictures that the result allows; nil is those of the source.
  ///   - frozen: the source with its live norms frozen.
  ///   - threads: how many threads compute; nil is one for each core.
  public init(
    goal: SearchGoal, photosOnly: Bool = false, isEntropyCoded: Bool = true, keep: [String] = [],
    calibration: CalibrationSet = .builtIn, importOptions: ImportOptions = ImportOptions(),
    sizes: PixelContract.Sizes? = nil, frozen: FrozenNorms? = nil, threads: Int? = nil
  ) {
    self.goal = goal
    self.photosOnly = photosOnly
    self.isEntropyCoded = isEntropyCoded
    self.keep = keep
    self.calibration = calibration
    self.importOptions = importOptions
    self.sizes = sizes
    self.frozen = frozen
    self.threads = threads
  }

  /// The options as a command line says them.
  var arguments: [String] {
    goal.arguments + (photosOnly ? ["--photos-only"] : []) + (isEntropyCoded ? [] : ["--fast-load"])
      + (keep.isEmpty ? [] : ["--keep", keep.joined(separator: ",")])
      + (calibration == .builtIn ? [] : calibration.arguments)
  }
}
