/// What a reader must know for it to understand a file: a bit each in the preamble.
struct RequiredFeatures: OptionSet {
  let rawValue: UInt32

  /// Some payload is entropy-coded.
  static let codedPayloads = Self(rawValue: 1 << 0)
  /// Some integers are wider than 8 bits.
  static let wideIntegers = Self(rawValue: 1 << 1)
  /// The header has styles, without which conditional norms cannot be understood.
  static let styles = Self(rawValue: 1 << 2)

  /// Some weights are places in palettes.
  static let palettes = Self(rawValue: 1 << 3)

  /// What this reader knows.
  static let known: Self = [.codedPayloads, .wideIntegers, .styles, .palettes]

  init(rawValue: UInt32) { self.rawValue = rawValue }
}
