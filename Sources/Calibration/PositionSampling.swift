/// Positions drawn so that each is as likely as its weight is large: the same ones every time, evenly spread over the
/// running sum of the weights.
///
/// Each position drawn stands for `total / count`, so that a sum over them estimates the weighted sum over all.
func drawPositions(_ weights: [Double], count: Int) -> (positions: [Int], share: Double) {
  let total = weights.reduce(0, +)
  guard total > 0, total.isFinite, count > 0 else { return ([], 0) }
  let step = total / Double(count)
  var positions: [Int] = []
  positions.reserveCapacity(count)
  var sum = 0.0
  var next = step / 2
  for (position, weight) in weights.enumerated() {
    sum += weight
    while next < sum, positions.count < count {
      positions.append(position)
      next += step
    }
  }
  // What rounding has left over at the end.
  while positions.count < count { positions.append(weights.count - 1) }
  return (positions, step)
}
