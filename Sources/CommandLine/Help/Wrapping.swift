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

/// `count` spaces.
func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
