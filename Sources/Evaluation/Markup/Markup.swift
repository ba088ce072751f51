import Diagnostics

/// A piece of HTML, SVG or XML in which every text is escaped by construction.
///
/// It is written as a literal: what stands in the source is markup, what is interpolated is a text and gets escaped,
/// unless it is markup itself.
///
///     let name = "<script>"
///     let cell: Markup = "<td>\(name)</td>"   // <td>&lt;script&gt;</td>
struct Markup: Hashable, Sendable {
  /// What goes into the file.
  private(set) var source: String

  /// Nothing.
  static let empty: Markup = ""

  /// Characters that are known to need no escaping: numbers, Base64, constants of this program.
  init(trusted source: String) { self.source = source }

  /// A text, escaped so that it means itself between tags and within quoted attributes.
  ///
  /// Control characters and what reorders a line become visible first: XML has no way to say most of them.
  init(text: String) {
    var escaped = ""
    for scalar in printable(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    source = escaped
  }

  /// One piece after the other.
  static func + (left: Markup, right: Markup) -> Markup { Markup(trusted: left.source + right.source) }

  /// Appends a piece.
  static func += (left: inout Markup, right: Markup) { left.source += right.source }
}

extension Sequence<Markup> {
  /// The pieces one after the other, a line each.
  func joinedLines() -> Markup { Markup(trusted: map(\.source).joined(separator: "\n")) }
}

extension Sequence {
  /// A piece for each element, a line each.
  func markup(_ piece: (Element) -> Markup) -> Markup { map(piece).joinedLines() }
}

extension Markup: ExpressibleByStringInterpolation {
  init(stringLiteral value: String) { source = value }

  init(stringInterpolation: Interpolation) { source = stringInterpolation.source }

  /// Escapes what is interpolated.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var source = ""

    init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { source += literal }
    mutating func appendInterpolation(_ text: String) { source += Markup(text: text).source }
    mutating func appendInterpolation(_ number: Int) { source += String(number) }
    mutating func appendInterpolation(_ markup: Markup) { source += markup.source }
  }
}
