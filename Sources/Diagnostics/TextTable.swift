/// A table for a terminal of 80 columns, in spaces alone: a head, a rule, and rows.
public struct TextTable {
  /// A column: its head and the side that its cells stand on.
  public struct Column: Hashable, Sendable {
    /// The head.
    public let title: String
    /// Whether cells stand on the right, as numbers do.
    public let isRight: Bool

    /// A column of words.
    public static func left(_ title: String) -> Column { Column(title: title, isRight: false) }
    /// A column of numbers.
    public static func right(_ title: String) -> Column { Column(title: title, isRight: true) }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  /// Creates an empty table.
  public init(_ columns: Column...) { self.columns = columns }

  /// Creates an empty table of columns in a list.
  public init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row.
  /// - Precondition: there is a cell for each column.
  public mutating func add(_ cells: String...) { add(cells) }

  /// Adds a row of cells in a list.
  /// - Precondition: there is a cell for each column.
  public mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count)
    rows.append(cells)
  }

  /// The lines, each at most `width` long where that can be had by cutting words (numbers are never cut).
  public func lines(indent: Int = 2, width: Int = lineWidth) -> [String] {
    let head = columns.map(\.title)
    let widths = columnWidths(room: width - indent - gap * (columns.count - 1))
    let rule = widths.map { String(repeating: "-", count: $0) }
    return ([head, rule] + rows).map { cells in
      let parts = columns.indices.map { index in
        let cell = shortened(cells[index], to: widths[index])
        let fill = spaces(widths[index] - cell.count)
        return columns[index].isRight ? fill + cell : cell + fill
      }
      var line = spaces(indent) + parts.joined(separator: spaces(gap))
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  private var gap: Int { 2 }

  /// The longest cell of each column; while that is too much, the widest column of words gives way.
  private func columnWidths(room: Int) -> [Int] {
    var widths = columns.indices.map { index in
      rows.reduce(columns[index].title.count) { max($0, $1[index].count) }
    }
    while widths.reduce(0, +) > room {
      let words = columns.indices.filter { !columns[$0].isRight && widths[$0] > 8 }
      guard let widest = words.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
    }
    return widths
  }

  /// The middle gives way: names differ at their ends.
  private func shortened(_ text: String, to width: Int) -> String {
    guard text.count > width else { return text }
    let tail = (width - 1) / 2
    return text.prefix(width - 1 - tail) + "…" + text.suffix(tail)
  }
}
