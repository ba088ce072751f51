import Diagnostics
import PictureTracing

extension ONNXNode {
  /// An integer, or the default where the attribute is absent.
  func integer(_ name: String, default standard: Int) throws(StyleModelError) -> Int {
    try optionalInteger(name) ?? standard
  }

  /// An integer, or nil where the attribute is absent.
  func optionalInteger(_ name: String) throws(StyleModelError) -> Int? {
    switch attributes[name] {
    case nil: return nil
    case .integer(let value)?: return value
    default: throw wrong(name, "a whole number")
    }
  }

  /// Integers, or nil where the attribute is absent.
  func integers(_ name: String) throws(StyleModelError) -> [Int]? {
    switch attributes[name] {
    case nil: return nil
    case .integers(let values)?: return values
    default: throw wrong(name, "whole numbers")
    }
  }

  /// A finite number, or the default where the attribute is absent.
  func number(_ name: String, default standard: Float) throws(StyleModelError) -> Float {
    switch attributes[name] {
    case nil: return standard
    case .number(let value)? where value.isFinite: return value
    default: throw wrong(name, "a number")
    }
  }

  /// Numbers, or nil where the attribute is absent.
  func numbers(_ name: String) throws(StyleModelError) -> [Float]? {
    switch attributes[name] {
    case nil: return nil
    case .numbers(let values)?: return values
    default: throw wrong(name, "numbers")
    }
  }

  /// A word, or the default where the attribute is absent.
  func word(_ name: String, default standard: String) throws(StyleModelError) -> String {
    switch attributes[name] {
    case nil: return standard
    case .text(let value)?: return value
    default: throw wrong(name, "a word")
    }
  }

  private func wrong(_ name: String, _ wanted: String) -> StyleModelError {
    StyleModelError(.badInput, "attribute '\(name)' wants \(wanted)")
  }
}
