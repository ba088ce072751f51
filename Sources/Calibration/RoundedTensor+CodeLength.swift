import Glibc

extension RoundedTensor {
  /// The bits that the integers take by the best of the static distributions, a shape for the tensor and a width for each
  /// channel, which takes a byte as the scale does.
  public var estimatedCodeLength: Double {
    let magnitudes = CodeLengths.magnitudes
    let kind: CodeLengths.Kind = isDependent ? .dependent : .plain
    let states = isDependent ? 2 : 1
    // `[channel][state][magnitude]`
    var counts = [Float](repeating: 0, count: layout.channels * states * magnitudes)
    var beyond = 0.0
    for group in 0..<layout.groups {
      for column in 0..<layout.columns {
        var walk = DependentStates()
        for row in rowOrders[group] {
          let integer = integers[layout.index(group: group, row: row, column: column)]
          let state = walk.state & 1
          let index = isDependent ? walk.index(of: integer) ?? 0 : integer
          let magnitude = Int(index.magnitude)
          if magnitude >= magnitudes { beyond += 2 * log2(Double(magnitude) / Double(magnitudes)) + 1 }
          let place =
            (layout.channel(group: group, row: row) * states + (states == 2 ? state : 0)) * magnitudes
          counts[place + min(magnitude, magnitudes - 1)] += 1
        }
      }
    }
    var best = Double.infinity
    for shape in CodeLengths.shapes.indices {
      var total = 0.0
      for channel in 0..<layout.channels {
        var least = Float.infinity
        for width in CodeLengths.widths.indices {
          CodeLengths.shared.withLengths(kind, shape: shape, width: width) { lengths in
            var bits: Float = 0
            for index in 0..<states * magnitudes {
              bits += counts[channel * states * magnitudes + index] * lengths[index]
            }
            least = min(least, bits)
          }
        }
        total += Double(least) + 16
      }
      best = min(best, total)
    }
    return best + beyond
  }
}
