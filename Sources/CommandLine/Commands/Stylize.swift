import Diagnostics

/// The body of `stylemodel stylize`.
@Sendable func runStylize(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  throw StyleModelError(.internalFault, "'stylize' is not wired yet")
}
