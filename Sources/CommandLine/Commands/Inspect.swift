import Diagnostics

/// The body of `stylemodel inspect`.
@Sendable func runInspect(_ arguments: ParsedArguments, _ console: Console) throws(StyleModelError) -> Int32 {
  throw StyleModelError(.internalFault, "'inspect' is not wired yet")
}
