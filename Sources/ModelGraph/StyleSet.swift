public import Diagnostics

/// The styles that a network was trained for, where it has several: what chooses the rows of the tables of its
/// conditional norms.
public struct StyleSet: Hashable, Sendable {
  /// The name that the model's file gives the input which chooses: `index`.
  public var inputName: String
  /// How many there are.
  public var count: Int
  /// What they are called, in their order; none where the file does not say.
  public var names: [String]

  /// The greatest number of styles that is accepted from a file; real networks have up to some dozens.
  public static let greatestCount = 4096

  /// Creates a set.
  /// - Parameter names: one a style, or none.
  public init(inputName: String, count: Int, names: [String] = []) {
    self.inputName = inputName
    self.count = count
    self.names = names
  }

  /// What a style is called in messages and in the names of files: `style2`, or `style2-wave` where it has a name;
  /// other characters than letters, digits, hyphens and underscores become hyphens.
  public func label(of style: Int) -> String {
    guard names.indices.contains(style), !names[style].isEmpty else { return "style\(style)" }
    let name = names[style].unicodeScalars.map { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-_".unicodeScalars.contains(scalar)
        ? Character(scalar) : "-"
    }
    return "style\(style)-\(String(name.prefix(60)))"
  }

  /// The styles for people: `3 styles: 0, 1 and 2`, or with their names.
  public var summary: String {
    let all = (0..<min(count, 64)).map { style in
      names.indices.contains(style) ? "\(style) (\(printable(names[style], limit: 60)))" : "\(style)"
    }
    return "\(counted(count, "style")), chosen by '\(printable(inputName, limit: 60))': "
      + all.joined(separator: ", ") + (count > all.count ? ", …" : "")
  }

  /// The number of the style that a user names: by its number from 0, or by its name. A number comes first, so
  /// that what is recorded by number is always that style.
  /// - Throws: `.usage` when there is none such.
  public func style(_ selector: String) throws(StyleModelError) -> Int {
    if let number = Int(selector), (0..<count).contains(number) { return number }
    if let named = names.firstIndex(of: selector) { return named }
    throw StyleModelError(
      .usage, "has no style '\(printable(selector, limit: 60))'",
      remedy: "it has \(summary)")
  }

  /// Checks that the set is sound.
  func verify() throws(StyleModelError) {
    guard (1...StyleSet.greatestCount).contains(count) else {
      throw StyleModelError(
        .badInput, "has \(grouped(count)) styles; 1 to \(grouped(StyleSet.greatestCount)) can be")
    }
    guard names.isEmpty || names.count == count else {
      throw StyleModelError(.badInput, "has \(counted(names.count, "name")) for \(counted(count, "style"))")
    }
  }
}

/// Which styles are wanted, and how much of each: the style vector of a conditional network, by the words of a user.
///
/// The weights are taken as they are, as Turi Create takes them: halves of two styles are as good as one style, and
/// weights that do not add up to 1 make gamma and beta larger or smaller.
public struct StyleBlend: Hashable, Sendable {
  /// One style's share.
  public struct Part: Hashable, Sendable {
    /// The style, by its name or its number from 0.
    public var style: String
    /// Its weight.
    public var weight: Float

    /// Creates a share.
    public init(style: String, weight: Float) {
      self.style = style
      self.weight = weight
    }
  }

  /// The shares; every other style has none.
  public var parts: [Part]

  /// One style alone.
  public init(style: String) { parts = [Part(style: style, weight: 1)] }

  /// One style alone, by its number.
  public init(style: Int) { self.init(style: String(style)) }

  /// A mixture.
  public init(parts: [Part]) { self.parts = parts }

  /// Reads `0:0.5,2:0.5`. What stands before a share's last colon may be a style's name.
  /// - Returns: nil when it is not of that form.
  public init?(_ text: String) {
    parts = []
    for share in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let colon = share.lastIndex(of: ":"), colon > share.startIndex,
        let weight = Float(share[share.index(after: colon)...]), weight.isFinite
      else { return nil }
      parts.append(Part(style: String(share[..<colon]), weight: weight))
    }
  }

  /// The sum of the weights.
  public var sum: Float { parts.reduce(0) { $0 + $1.weight } }

  /// The style, where it is one alone with a weight of 1.
  public var onlyStyle: String? { parts.count == 1 && parts[0].weight == 1 ? parts[0].style : nil }

  /// As command-line arguments: `["--style", "2"]` or `["--blend", "0:0.5,2:0.5"]`.
  public var arguments: [String] { onlyStyle.map { ["--style", $0] } ?? ["--blend", text] }

  /// As `init(_:)` reads it.
  public var text: String { parts.map { "\($0.style):\($0.weight)" }.joined(separator: ",") }

  /// The same with styles by their numbers, in their order, so that equal mixtures are written alike.
  /// - Throws: `.usage` when a style is not there or stands twice.
  public func resolved(in set: StyleSet) throws(StyleModelError) -> StyleBlend {
    var weights: [Int: Float] = [:]
    for part in parts {
      let style = try set.style(part.style)
      guard weights.updateValue(part.weight, forKey: style) == nil else {
        throw StyleModelError(
          .usage, "style \(style) stands twice in a blend", remedy: "give each style one weight")
      }
    }
    return StyleBlend(
      parts: weights.sorted { $0.key < $1.key }.map { Part(style: String($0.key), weight: $0.value) })
  }

  /// The style vector: a weight for each style.
  /// - Throws: `.usage` when a style is not there or stands twice.
  public func weights(in set: StyleSet) throws(StyleModelError) -> [Float] {
    var weights = [Float](repeating: 0, count: set.count)
    for part in try resolved(in: set).parts { weights[try set.style(part.style)] = part.weight }
    return weights
  }
}

extension StyleBlend: CustomStringConvertible {
  /// For people: `style 2` or `blend 0:0.5,2:0.5`.
  public var description: String { onlyStyle.map { "style \($0)" } ?? "blend \(text)" }
}

extension Graph {
  /// Makes sure that the network is of one style.
  /// - Throws: `.usage` with the count and how to choose.
  public func requireOneStyle() throws(StyleModelError) {
    guard let styles else { return }
    throw StyleModelError(
      .usage, "has \(styles.summary); this wants one of them",
      remedy: "give --style K, a mixture such as --blend 0:0.5,1:0.5, or --all-styles where it is offered")
  }
}
