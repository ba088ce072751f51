import StyleModelKit

extension ValueOption<String> {
  /// The pictures that an option for calibration names: a folder's, the built-in ones where it names none; nil where it is not
  /// given.
  func set(in arguments: ParsedArguments) -> CalibrationSet? {
    guard arguments.has(spec) else { return nil }
    return arguments[self].map { .folder($0) } ?? .builtIn
  }
}
