/// A whole HTML file: one that needs no other, asks nothing of a network and runs no script but its own.
struct Page {
  /// The title of the window.
  var title: String
  /// What stands between the top and the end.
  var body: Markup
  /// Who made the page and how.
  var origin: ReportOrigin

  /// The file's text.
  var text: String {
    let page: Markup = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="\(origin.tool)">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <title>\(title)</title>
      <style>
      \(Markup(trusted: pageStyle))
      \(PlotColours.page.style)
      </style>
      </head>
      <body>
      <a class="skip" href="#main">Skip to the report</a>
      <main id="main">
      \(body)
      </main>
      <footer>
      \(commandLine)
      <p>Made by \(origin.tool). This file is complete in itself: it loads nothing.</p>
      </footer>
      <script>
      \(Markup(trusted: pageScript))
      </script>
      </body>
      </html>

      """
    return page.source
  }

  /// Even a name that got past the escaping could load nothing and send nothing.
  private static let policy =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; "
    + "form-action 'none'"

  private var commandLine: Markup {
    guard let command = origin.commandLine else { return .empty }
    return """
      <h2 id="reproduce">To reproduce</h2>
      <pre class="command" tabindex="0" role="region" aria-label="Command line"><code>\(command)</code></pre>
      """
  }
}

/// Where a report comes from.
public struct ReportOrigin: Hashable, Sendable {
  /// The program with its version.
  public var tool: String
  /// The words of the command line, the program's name first; none where there was no command line.
  public var words: [String]

  /// Creates an origin.
  public init(tool: String, words: [String] = []) {
    self.tool = tool
    self.words = words
  }

  /// The command line as a shell reads it; nil where there was none.
  var commandLine: String? { words.isEmpty ? nil : words.map(shellQuoted).joined(separator: " ") }
}

/// A word as a POSIX shell reads it: in quotes where it needs them.
private func shellQuoted(_ word: String) -> String {
  let isPlain = word.utf8.allSatisfy { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-_./,:=+@%".utf8.contains(byte)
    }
  }
  if isPlain, !word.isEmpty { return word }
  return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
