import Tensors

/// What a reader must know for it to understand a file: a bit each in the preamble.
struct RequiredFeatures: OptionSet {
  let rawValue: UInt32

  /// Some payload is entropy-coded.
  static let codedPayloads = Self(rawValue: 1 << 0)
  /// Some integers are wider than 8 bits.
  static let wideIntegers = Self(rawValue: 1 << 1)

  /// What this reader knows.
  static let known: Self = [.codedPayloads, .wideIntegers]

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// What tensors make necessary.
  init(neededFor tensors: [TensorEntry]) {
    self = []
    for tensor in tensors {
      if tensor.compression == .coded { insert(.codedPayloads) }
      if case .affine(let bits, _, _, _) = tensor.form, bits > 8 { insert(.wideIntegers) }
    }
  }
}
