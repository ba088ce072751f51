/// How wide help, usage and tables may be.
public let lineWidth = 80

/// The text in lines of at most `width` characters, broken between words; a longer word stands alone.
public func wrapped(_ text: String, width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  var length = 0
  for word in text.split(separator: " ") {
    let more = word.count
    if length > 0, length + 1 + more > width {
      lines.append(line)
      line = ""
      length = 0
    }
    if length > 0 {
      line += " "
      length += 1
    }
    line += word
    length += more
  }
  if length > 0 { lines.append(line) }
  return lines
}

/// A line kept as it is up to the last blank within `width`, and what follows after it on lines that start with
/// `indent` spaces.
public func hanging(_ line: String, indent: Int, width: Int = lineWidth) -> [String] {
  guard line.count > width, let cut = line.prefix(width + 1).lastIndex(of: " "),
    line[..<cut].contains(where: { $0 != " " })
  else { return [line] }
  let rest = String(line[cut...].drop { $0 == " " })
  return [String(line[..<cut])] + hanging(spaces(indent) + rest, indent: indent, width: width)
}

/// `count` spaces.
public func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
