import Diagnostics

/// The body of `stylemodel eval`.
@Sendable func runEval(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  throw StyleModelError(.internalFault, "'eval' is not wired yet")
}
