import Diagnostics
import Files
import Imaging
import ModelGraph
import Quantization

/// How one kind of value is written on the command line, and how it is read.
struct ValueReader<Value: Sendable>: Sendable {
  /// What the help and the errors say of it.
  let placeholder: String
  /// What is wanted, as the object of "wants".
  let wish: String
  /// What a shell should offer.
  let completion: ValueSpec.Completion
  /// Whether the option may stand without its value.
  let isOptional: Bool
  /// The value, or `nil` when the text is not one.
  let read: @Sendable (String) -> Value?

  init(
    _ placeholder: String, wish: String, completion: ValueSpec.Completion = .nothing,
    isOptional: Bool = false,
    read: @escaping @Sendable (String) -> Value?
  ) {
    self.placeholder = placeholder
    self.wish = wish
    self.completion = completion
    self.isOptional = isOptional
    self.read = read
  }

  /// The same without the type, for the option table.
  var spec: ValueSpec {
    ValueSpec(placeholder: placeholder, wish: wish, completion: completion, isOptional: isOptional) {
      [read] in read($0) != nil
    }
  }
}

extension ValueReader<String> {
  /// Any text that is not empty.
  static func text(_ placeholder: String) -> ValueReader {
    ValueReader(placeholder, wish: "a text") { $0.isEmpty ? nil : $0 }
  }

  /// The name of a file.
  static func file(_ placeholder: String) -> ValueReader {
    ValueReader(placeholder, wish: "the name of a file", completion: .files) { $0.isEmpty ? nil : $0 }
  }

  /// The name of a folder.
  static func folder(_ placeholder: String) -> ValueReader {
    ValueReader(placeholder, wish: "the name of a folder", completion: .folders) { $0.isEmpty ? nil : $0 }
  }

  /// The name of a folder that is there, which may be left out.
  static func optionalFolder(_ placeholder: String) -> ValueReader {
    ValueReader(
      placeholder, wish: "the name of a folder that is there", completion: .folders, isOptional: true
    ) { isFolder($0) ? $0 : nil }
  }
}

extension ValueReader where Value: CaseIterable & RawRepresentable<String> {
  /// One of the words that a type lists.
  static func choice(_ placeholder: String) -> ValueReader {
    let words = Value.allCases.map(\.rawValue)
    return ValueReader(placeholder, wish: alternatives(words), completion: .words(words)) {
      Value(rawValue: $0)
    }
  }
}

extension ValueReader<Int> {
  /// A number of bytes with its unit, in powers of 1000 as `byteSize` writes them, or of 1024: `800MB`, `1.5GiB`.
  static func byteCount(_ placeholder: String) -> ValueReader {
    ValueReader(placeholder, wish: "a number of bytes such as 800MB or 1.5GB") { text in
      let units = ["kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 0x1p10, "MiB": 0x1p20, "GiB": 0x1p30]
      guard let unit = units.first(where: { text.hasSuffix($0.key) }),
        let number = Double(text.dropLast(unit.key.count)), number > 0, number * unit.value < 0x1p62
      else { return nil }
      return Int(number * unit.value)
    }
  }

  /// A whole number in a range.
  static func integer(_ placeholder: String, in range: ClosedRange<Int>) -> ValueReader {
    let wish =
      range.upperBound == .max
      ? "a whole number of at least \(range.lowerBound)"
      : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return ValueReader(placeholder, wish: wish) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
  }
}

extension ValueReader<Double> {
  /// A number in a range, where `wish` says which; `inf` counts where the range holds it.
  static func number(_ placeholder: String, in range: ClosedRange<Double>, wish: String) -> ValueReader {
    ValueReader(placeholder, wish: wish) { Double($0).flatMap { range.contains($0) ? $0 : nil } }
  }
}

extension ValueReader<Double> {
  /// A number of decibels, with or without its unit: `0.5dB`, `45`.
  static func decibels(in range: ClosedRange<Double>, wish: String) -> ValueReader {
    ValueReader("dB", wish: wish) { text in
      let digits = text.lowercased().hasSuffix("db") ? text.dropLast(2) : text[...]
      return Double(digits).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A share: `0.25` or `25%`.
  static func share(_ placeholder: String) -> ValueReader {
    ValueReader(placeholder, wish: "a share such as 25% or 0.25") { text in
      let isPercentage = text.hasSuffix("%")
      guard let number = Double(isPercentage ? text.dropLast() : text[...]), number >= 0, number.isFinite
      else {
        return nil
      }
      return isPercentage ? number / 100 : number
    }
  }
}

extension ValueReader<[Double]> {
  /// One finite number, or one for each of the three channels, apart by commas.
  static let channels = ValueReader(
    "LIST", wish: "one number, or three apart by commas (such as 0.5,0.5,0.5)"
  ) {
    text in
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { Double($0) }.filter { Float($0).isFinite }
    return numbers.count == fields.count && [1, 3].contains(numbers.count) ? numbers : nil
  }
}

extension ValueReader<[Int]> {
  /// Different whole numbers in a range, apart by commas.
  static func integers(_ placeholder: String, in range: ClosedRange<Int>) -> ValueReader {
    ValueReader(
      placeholder,
      wish: "different whole numbers from \(range.lowerBound) to \(range.upperBound), apart by commas"
    ) { text in
      let fields = text.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = fields.compactMap { Int($0) }.filter { range.contains($0) }
      return numbers.count == fields.count && Set(numbers).count == numbers.count ? numbers : nil
    }
  }
}

extension ValueReader<[String]> {
  /// Names apart by commas.
  static func names(_ placeholder: String) -> ValueReader {
    ValueReader(placeholder, wish: "names apart by commas") { text in
      let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return names.contains("") ? nil : names
    }
  }
}

extension ValueReader<[String]> {
  /// Names of ways to store weights, apart by commas.
  static let schemes = ValueReader(
    "NAME,…", wish: "names of schemes apart by commas, such as fp16,int8,int5-affine"
  ) { text in
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let areKnown = names.allSatisfy { (try? QuantizationOptions(named: $0)) != nil }
    return areKnown && Set(names).count == names.count ? names : nil
  }
}

extension ValueReader<StyleBlend> {
  /// Styles with their weights, apart by commas.
  static let blend = ValueReader(
    "K:W,…", wish: "styles with their weights, such as 0:0.5,2:0.5", read: { StyleBlend($0) })
}

extension ValueReader<PictureSize> {
  /// A size written `WxH`.
  static let size = ValueReader("WxH", wish: "a size such as 640x960 (width, then height, from 1 to 65535)") {
    text in
    let fields = text.split(separator: "x", omittingEmptySubsequences: false)
    let sides = fields.compactMap { Int($0) }.filter { (1...65535).contains($0) }
    return fields.count == 2 && sides.count == 2 ? PictureSize(width: sides[0], height: sides[1]) : nil
  }
}

extension ValueReader<PixelContract.Sizes> {
  /// Sizes apart by commas.
  static let sizes = ValueReader("WxH,…", wish: "sizes apart by commas, such as 640x960,960x640") { text in
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    let sizes = fields.compactMap { ValueReader<PictureSize>.size.read(String($0)) }
    return sizes.count == fields.count && Set(sizes).count == sizes.count ? .listed(sizes) : nil
  }

  /// A least and a greatest size, the latter perhaps left out.
  static let sizeRange = ValueReader(
    "WxH:WxH", wish: "a range such as 64x64:1024x1024, or 64x64: without bound"
  ) {
    text in
    let fields = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 2, let least = ValueReader<PictureSize>.size.read(fields[0]) else { return nil }
    let greatest = ValueReader<PictureSize>.size.read(fields[1])
    guard fields[1].isEmpty || greatest != nil, greatest?.width ?? .max >= least.width,
      greatest?.height ?? .max >= least.height
    else { return nil }
    return .range(
      width: ClosedSizeRange(lower: least.width, upper: greatest?.width),
      height: ClosedSizeRange(lower: least.height, upper: greatest?.height))
  }
}

extension ValueReader<Background> {
  /// A colour: `white`, `black`, or six hexadecimal digits.
  static let color = ValueReader(
    "COLOR", wish: "white, black or a colour such as #a0b0c0", completion: .words(["white", "black"])
  ) { text in
    switch text {
    case "white": return .white
    case "black": return .black
    default:
      let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
      guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16)
      else { return nil }
      return Background(
        red: Float(value >> 16), green: Float(value >> 8 & 0xff), blue: Float(value & 0xff))
    }
  }
}

/// Words as alternatives: `resize, crop or pad`.
func alternatives(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}
