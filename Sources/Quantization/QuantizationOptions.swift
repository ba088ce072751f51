public import Diagnostics
import Tensors

/// How the weights of a graph are to be stored.
public struct QuantizationOptions: Hashable, Sendable {
  /// How a weight is stored.
  public enum Storage: Hashable, Sendable {
    case float32
    case float16
    /// Convolutions' weights as integers of 2 to 8 bits, everything else as for `float16`.
    case integers(bits: Int)
    /// Convolutions' weights as places of 1 to 8 bits in tables of the numbers that fit them best, everything else as for
    /// `float16`.
    case palette(bits: Int)
  }

  /// How weights are stored.
  public var storage: Storage
  /// Whether integers are unsigned and count from each channel's least weight.
  public var isAffine: Bool
  /// Whether there is one scale for a whole tensor.
  public var isPerTensor: Bool
  /// How many neighbouring output channels have a palette together; nil is one palette a tensor.
  public var groupSize: Int?
  /// Whether a `.stylemodel` may hold integers entropy-coded, which is smaller and takes a little longer to load.
  public var isEntropyCoded: Bool
  /// What stays bit for bit as it is: names of tensors, or `first` and `last` for the weights and biases of the
  /// first and last convolution.
  public var keep: [String]

  /// Creates options; the default is 8 bits, symmetric, with one scale an output channel.
  /// - Parameters:
  ///   - storage: how weights are stored.
  ///   - isAffine: whether integers count from each channel's least weight.
  ///   - isPerTensor: whether there is one scale for a whole tensor.
  ///   - groupSize: how many neighbouring output channels have a palette together; nil is one palette a tensor.
  ///   - isEntropyCoded: whether integers may be entropy-coded; nil is where they are of less than 8 bits.
  ///   - keep: what stays as it is.
  public init(
    storage: Storage = .integers(bits: 8), isAffine: Bool = false, isPerTensor: Bool = false,
    groupSize: Int? = nil, isEntropyCoded: Bool? = nil, keep: [String] = []
  ) {
    self.storage = storage
    self.isAffine = isAffine
    self.isPerTensor = isPerTensor
    self.groupSize = groupSize
    self.isEntropyCoded = isEntropyCoded ?? storage.isEntropyCodedByDefault
    self.keep = keep
  }

  /// Takes a row of the table of schemes into account.
  /// - Throws: `.usage` when the argument is missing or outside the row's range.
  public mutating func apply(_ scheme: QuantizationScheme, argument: Int? = nil) throws(StyleModelError) {
    switch scheme.effect {
    case .storage(let storage):
      self.storage = storage
      isEntropyCoded = storage.isEntropyCodedByDefault
    case .width(let range):
      guard let argument, range.contains(argument) else {
        throw StyleModelError(
          .usage, "--\(scheme.name) wants a width from \(range.lowerBound) to \(range.upperBound) bits")
      }
      storage = .integers(bits: argument)
      isEntropyCoded = true
    case .palette(let range):
      guard let argument, range.contains(argument) else {
        throw StyleModelError(
          .usage, "--\(scheme.name) wants a width from \(range.lowerBound) to \(range.upperBound) bits")
      }
      storage = .palette(bits: argument)
      isEntropyCoded = false
    case .groupSize(let range):
      guard let argument, range.contains(argument) else {
        throw StyleModelError(.usage, "--\(scheme.name) wants a number of channels, such as 16")
      }
      groupSize = argument
    case .affine: isAffine = true
    case .perTensor: isPerTensor = true
    case .fastLoad: isEntropyCoded = false
    }
  }

  /// Reads the short form that `name` writes.
  /// - Throws: `.usage` when it is not one.
  public init(named name: String) throws(StyleModelError) {
    self.init()
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    let groupSize = parts.count == 2 && parts[1].hasPrefix("group") ? Int(parts[1].dropFirst(5)) : nil
    for storage in Self.storages {
      for isAffine in [false, true] {
        for isPerTensor in [false, true] {
          for isEntropyCoded in [false, true] {
            let options = Self(
              storage: storage, isAffine: isAffine, isPerTensor: isPerTensor, groupSize: groupSize,
              isEntropyCoded: isEntropyCoded)
            if options.name == name, (try? options.validate()) != nil {
              self = options
              return
            }
          }
        }
      }
    }
    throw StyleModelError(
      .usage, "there is no scheme '\(name)'",
      remedy:
        "write fp32, fp16, int2 to int8 (with -affine, -per-tensor or both behind it, and then -coded for int8 or"
        + " -fast-load for the others), or palette1 to palette8 (perhaps with -group16 behind it)")
  }

  private static let storages: [Storage] =
    [.float32, .float16] + (2...8).map { .integers(bits: $0) } + (1...8).map { .palette(bits: $0) }

  /// The options in short, without what is kept; names of output files end in it: `fp16`, `int8`,
  /// `int4-affine-per-tensor`.
  public var name: String {
    let base =
      switch storage {
      case .float32: "fp32"
      case .float16: "fp16"
      case .integers(let bits): "int\(bits)"
      case .palette(let bits): "palette\(bits)" + (groupSize.map { "-group\($0)" } ?? "")
      }
    let coding =
      isEntropyCoded == storage.isEntropyCodedByDefault ? "" : isEntropyCoded ? "-coded" : "-fast-load"
    return base + (isAffine ? "-affine" : "") + (isPerTensor ? "-per-tensor" : "") + coding
  }

  /// The options as a command line says them, one string an argument: what a file records of its making.
  public var arguments: [String] {
    var result: [String]
    switch storage {
    case .float32: result = ["--fp32"]
    case .float16: result = ["--fp16"]
    case .integers(bits: 8) where !isEntropyCoded: result = ["--int8"]
    case .integers(let bits): result = ["--bits", String(bits)]
    case .palette(let bits): result = ["--palette", String(bits)]
    }
    if let groupSize { result += ["--group-size", String(groupSize)] }
    if isAffine { result.append("--affine") }
    if isPerTensor { result.append("--per-tensor") }
    if storage.isEntropyCodedByDefault, !isEntropyCoded { result.append("--fast-load") }
    if !keep.isEmpty { result += ["--keep", keep.joined(separator: ",")] }
    return result
  }

  /// Checks that the options go together.
  /// - Throws: `.usage` when a width is out of range or a modifier stands beside what it does not modify.
  public func validate() throws(StyleModelError) {
    if let groupSize {
      guard case .palette = storage, groupSize > 0 else {
        throw StyleModelError(
          .usage, "--group-size says how many channels share a palette, and there are no palettes",
          remedy: "leave it out, or choose --palette")
      }
    }
    switch storage {
    case .integers(let bits):
      guard (2...8).contains(bits) else {
        throw StyleModelError(.usage, "cannot store integers of \(bits) bits", remedy: "choose 2 to 8")
      }
    case .float32, .float16, .palette:
      if case .palette(let bits) = storage, !PaletteEncoding.widths.contains(bits) {
        throw StyleModelError(.usage, "cannot store palettes of \(bits) bits", remedy: "choose 1 to 8")
      }
      guard !isEntropyCoded else {
        throw StyleModelError(.usage, "only integers can be entropy-coded, and \(name) has none")
      }
      guard !isAffine, !isPerTensor else {
        let what = if case .palette = storage { "palettes" } else { "floats" }
        throw StyleModelError(
          .usage,
          "\(isAffine ? "--affine" : "--per-tensor") says how integers are scaled; \(what) have no scale",
          remedy: "leave it out, or choose --int8")
      }
    }
  }
}

extension QuantizationOptions.Storage {
  /// Whether integers stored so are entropy-coded where nothing else is said.
  fileprivate var isEntropyCodedByDefault: Bool {
    if case .integers(let bits) = self { bits < 8 } else { false }
  }
}
