import Diagnostics

/// The body of `stylemodel convert`.
@Sendable func runConvert(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  throw StyleModelError(.internalFault, "'convert' is not wired yet")
}
