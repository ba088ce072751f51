/// Scales that are powers of 2^(1/8): fine enough to be as good as any, and told by a small integer each.
public enum OctaveSteps {
  /// The exponents whose powers are normal floats.
  public static let exponents = -1008...1023

  /// 2^(exponent / 8), rounded to the nearest float.
  /// - Precondition: the exponent is one of `exponents`.
  public static func step(_ exponent: Int) -> Float {
    precondition(exponents.contains(exponent))
    let octave = exponent >> 3
    return Float(
      bitPattern: UInt32(octave + 127) << 23 | significands[exponent & 7])
  }

  /// The exponent whose power a float is, or nil if it is none.
  public static func exponent(of step: Float) -> Int? {
    guard step.isNormal, step > 0, let part = significands.firstIndex(of: step.bitPattern & 0x7f_ffff)
    else { return nil }
    return (Int(step.bitPattern >> 23) - 127) * 8 + part
  }

  /// The exponent whose power is nearest to a number, by their ratio, or nil where that is no normal float.
  public static func exponent(nearestTo number: Double) -> Int? {
    guard number.isFinite, number > 0 else { return nil }
    // Between neighbours lies 2^(1/16) of the lower one, which no floating-point logarithm is needed for.
    let octave = Int(number.exponent)
    let significand = number.significand
    let part = borders.firstIndex { significand < $0 } ?? 8
    let exponent = octave * 8 + part
    return exponents.contains(exponent) ? exponent : nil
  }

  /// The fractions of the floats nearest to 2^(0/8) … 2^(7/8).
  private static let significands: [UInt32] = [
    0x00_0000, 0x0b_95c2, 0x18_37f0, 0x25_fed7, 0x35_04f3, 0x45_672a, 0x57_44fd, 0x6a_c0c7,
  ]

  /// 2^(1/16), 2^(3/16) … 2^(15/16).
  private static let borders: [Double] = [
    1.0442737824274138, 1.1387886347566916, 1.2418578120734840, 1.3542555469368927,
    1.4768261459394993, 1.6104903319492543, 1.7562521603732995, 1.9152065613971474,
  ]
}
