public import Diagnostics
public import ModelGraph

/// All passes, in the order in which they run.
public let standardPasses: [any GraphPass] = [
  // First, so that nothing idle stands between what the others look for.
  RemoveIdentities(),
  // After the identities: a padding of nothing would hide another one from the convolution.
  FusePadding(),
  // Before the dead biases: it gives convolutions biases, and where a stored norm stood before a live one, the
  // convolution then does.
  FoldBatchNorm(),
  // Before the dead biases: it brings a live norm right behind its convolution.
  AbsorbScale(),
  // After all that makes biases or removes what stands between them and a norm.
  RemoveDeadBias(),
  // Last: it speaks of the norms as they are left.
  ExplainLiveNorms(),
]

/// The graph after all passes, and what they did.
/// - Throws: what `Graph.verify()` finds wrong in `graph`, or `.internalFault` naming the pass that broke it.
public func optimized(
  _ graph: Graph, by passes: [any GraphPass] = standardPasses
) throws(StyleModelError) -> (graph: Graph, notes: [PassNote]) {
  try graph.verify()
  var graph = graph
  var notes: [PassNote] = []
  for pass in passes {
    notes += try pass.apply(&graph)
    do throws(StyleModelError) { try graph.verify() } catch {
      throw StyleModelError(
        .internalFault, place: "pass \(type(of: pass).name)",
        "left a graph that does not hold: \(error.message)",
        remedy: "please report this with the model")
    }
  }
  return (graph, notes)
}
