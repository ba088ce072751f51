import Diagnostics

/// The body of `stylemodel bench`.
@Sendable func runBench(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  throw StyleModelError(.internalFault, "'bench' is not wired yet")
}
