/// The options that are the same for every command, or for every command that computes.
enum GeneralOptions {
  static let threads = ValueOption(
    "threads", .integer("N", in: 1...1024),
    "How many threads compute (default: one for each core). Results do not depend on it.")
  static let json = OptionSpec("json", "Print the result as JSON on standard output.")
  static let help = OptionSpec("help", short: "h", "Show this help.")
  static let version = OptionSpec("version", "Show the version.")

  /// The section that ends every command's help, with what this command adds of the above.
  static func section(_ options: OptionSpec...) -> OptionSection {
    OptionSection("GENERAL OPTIONS", options + [help, version])
  }
}
