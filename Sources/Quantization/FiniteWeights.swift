public import Diagnostics
public import ModelGraph
import Tensors

/// Makes sure that every weight is a finite 32-bit float: nothing sound can be made of a network that holds others.
/// - Throws: `.badInput` naming the first tensor that holds such numbers, how many, and how many more tensors do.
public func requireFiniteWeights(_ graph: Graph) throws(StyleModelError) {
  try requireFinite(graph.constantsInOrder.map { ($0.constant.name, $0.constant.tensor.floats()) })
}

func requireFinite(_ tensors: [(name: String, floats: [Float])]) throws(StyleModelError) {
  let bad = tensors.filter { !allFinite($0.floats) }
  guard let first = bad.first else { return }
  let count = first.floats.count { !$0.isFinite }
  let notNumbers = first.floats.count(where: \.isNaN)
  let kinds = [(notNumbers, "NaN"), (count - notNumbers, "infinite")].filter { $0.0 > 0 }
    .map { "\(grouped($0.0)) \($0.1)" }.joined(separator: ", ")
  let others = bad.count == 1 ? "" : ", like \(counted(bad.count - 1, "other tensor"))"
  throw StyleModelError(
    .badInput, place: "tensor \(first.name)",
    "holds \(counted(count, "number")) of \(grouped(first.floats.count)) that \(count == 1 ? "is" : "are") not finite (\(kinds))\(others)",
    remedy: "the training has diverged; take an earlier checkpoint")
}

/// Whether all exponents are below the one that infinities and NaNs have; written so that it vectorises.
private func allFinite(_ floats: [Float]) -> Bool {
  var greatest: UInt32 = 0
  for value in floats { greatest = max(greatest, value.bitPattern & 0x7fff_ffff) }
  return greatest < 0x7f80_0000
}
