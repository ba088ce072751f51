/// The keys to the arguments of `stylemodel man`.
enum ManOptions {
  static let command = Operand(
    "COMMAND", count: .zeroOrOne, completion: .commands,
    "The command that the page is about (default: stylemodel as a whole).")
}

/// `stylemodel man`.
let manCommand = CommandSpec(
  "man",
  overview: "Print a manual page. It is written in roff, for man and for packagers.",
  operands: [ManOptions.command],
  sections: [GeneralOptions.section()],
  examples: [
    Example("Read the page of a command", "man convert | man -l -"),
    Example("Install it", "man convert > ~/.local/share/man/man1/stylemodel-convert.1"),
  ],
  body: runMan)
