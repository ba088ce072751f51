/// How wide help, usage and tables may be.
let lineWidth = 80

/// The text in lines of at most `width` characters, broken between words; a longer word stands alone.
func wrapped(_ text: String, width: Int) -> [String] {
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

/// A line that starts as it is and goes on, where it is too long, with `indent` spaces before each further line.
func hanging(_ line: String, indent: Int, width: Int = lineWidth) -> [String] {
  guard line.count > width else { return [line] }
  let start = line.prefix { $0 == " " }
  let first = wrapped(String(line), width: width - start.count)[0]
  let rest = line.dropFirst(start.count + first.count).drop { $0 == " " }
  return [start + first] + wrapped(String(rest), width: width - indent).map { spaces(indent) + $0 }
}

/// `count` spaces.
func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
