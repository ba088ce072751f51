/// The candidate that a mistyped word most likely meant, or `nil` where none is near.
func nearest(to word: String, in candidates: [String]) -> String? {
  let scored = candidates.map { (name: $0, distance: editDistance(word, $0)) }
  guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
  if best.distance <= max(1, min(word.count, best.name.count) / 3) { return best.name }
  // An unfinished word: the one candidate that starts with it.
  let started = candidates.filter { $0.hasPrefix(word) }
  return word.count >= 2 && started.count == 1 ? started[0] : nil
}

/// How many letters must be put in, left out, replaced, or swapped with their neighbour to turn one word into the
/// other (the optimal string alignment distance).
func editDistance(_ first: String, _ second: String) -> Int {
  let a = Array(first)
  let b = Array(second)
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
      row.append(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}
