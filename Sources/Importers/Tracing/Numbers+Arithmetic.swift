package import Diagnostics
import Glibc

extension Numbers {
  /// A function of two numbers with NumPy's broadcasting, or nil if the operator is none.
  package static func combine(
    _ operation: String, _ left: Numbers, _ right: Numbers
  ) throws(StyleModelError) -> Numbers? {
    let onFloats = floatFunctions[operation]
    let onIntegers = integerFunctions[operation]
    let compare = comparisons[operation]
    guard onFloats != nil || compare != nil else { return nil }
    guard let shape = broadcastShape(left.shape, right.shape) else {
      throw StyleModelError(.badInput, "combines constants of shapes \(left.shape) and \(right.shape)")
    }
    let count = try Numbers.count(shape)
    let a = Places(left.shape)
    let b = Places(right.shape)
    var places: [(Int, Int)] = []
    places.reserveCapacity(count)
    Places(shape).forEach { places.append((a.broadcast($0), b.broadcast($0))) }
    if let x = left.integers, let y = right.integers {
      if let compare {
        return Numbers(shape: shape, .integers(places.map { compare(Double(x[$0]), Double(y[$1])) ? 1 : 0 }))
      }
      guard let onIntegers else { return nil }
      var result: [Int] = []
      result.reserveCapacity(count)
      for (i, j) in places {
        guard let value = onIntegers(x[i], y[j]) else {
          throw StyleModelError(.badInput, "divides by zero, or computes an integer too large")
        }
        result.append(value)
      }
      return Numbers(shape: shape, .integers(result))
    }
    let x = left.floats
    let y = right.floats
    if let compare {
      return Numbers(shape: shape, .integers(places.map { compare(Double(x[$0]), Double(y[$1])) ? 1 : 0 }))
    }
    guard let onFloats else { return nil }
    return Numbers(shape: shape, .floats(places.map { onFloats(x[$0], y[$1]) }))
  }

  private static let floatFunctions: [String: @Sendable (Float, Float) -> Float] = [
    "Add": { $0 + $1 }, "Sub": { $0 - $1 }, "Mul": { $0 * $1 }, "Div": { $0 / $1 }, "Pow": { powf($0, $1) },
    "Min": { $0.isNaN || $0 < $1 ? $0 : $1 }, "Max": { $0.isNaN || $0 > $1 ? $0 : $1 },
    "Mod": { fmodf($0, $1) },
  ]

  /// Nil where the result is none.
  private static let integerFunctions: [String: @Sendable (Int, Int) -> Int?] = [
    "Add": { checked($0.addingReportingOverflow($1)) },
    "Sub": { checked($0.subtractingReportingOverflow($1)) },
    "Mul": { checked($0.multipliedReportingOverflow(by: $1)) },
    "Div": { checked($0.dividedReportingOverflow(by: $1)) },
    "Min": { min($0, $1) }, "Max": { max($0, $1) },
    // Python's sign: that of the divisor.
    "Mod": { left, right in
      checked(left.remainderReportingOverflow(dividingBy: right)).map {
        $0 != 0 && ($0 < 0) != (right < 0) ? $0 + right : $0
      }
    },
    "Pow": { base, exponent in
      guard (0...64).contains(exponent) else { return nil }
      var result: Int? = 1
      for _ in 0..<exponent { result = result.flatMap { checked($0.multipliedReportingOverflow(by: base)) } }
      return result
    },
    "And": { $0 != 0 && $1 != 0 ? 1 : 0 }, "Or": { $0 != 0 || $1 != 0 ? 1 : 0 },
  ]

  private static let comparisons: [String: @Sendable (Double, Double) -> Bool] = [
    "Equal": { $0 == $1 }, "Less": { $0 < $1 }, "Greater": { $0 > $1 }, "LessOrEqual": { $0 <= $1 },
    "GreaterOrEqual": { $0 >= $1 }, "And": { $0 != 0 && $1 != 0 }, "Or": { $0 != 0 || $1 != 0 },
  ]

  private static func checked(_ result: (partialValue: Int, overflow: Bool)) -> Int? {
    result.overflow ? nil : result.partialValue
  }

  /// A function of each number, or nil if the operator is none.
  package func mapped(_ operation: String) throws(StyleModelError) -> Numbers? {
    switch (operation, elements) {
    case ("Neg", .integers(let values)): return Numbers(shape: shape, .integers(values.map { 0 &- $0 }))
    case ("Abs", .integers(let values)):
      return Numbers(shape: shape, .integers(values.map { $0 == .min ? .max : abs($0) }))
    case ("Not", .integers(let values)):
      return Numbers(shape: shape, .integers(values.map { $0 == 0 ? 1 : 0 }))
    case (_, .integers): return nil
    case (_, .floats(let values)):
      guard let function = Self.functions[operation] else { return nil }
      return Numbers(shape: shape, .floats(values.map(function)))
    }
  }

  private static let functions: [String: @Sendable (Float) -> Float] = [
    "Neg": { -$0 }, "Abs": { abs($0) }, "Floor": { $0.rounded(.down) }, "Ceil": { $0.rounded(.up) },
    "Round": { $0.rounded(.toNearestOrEven) }, "Sqrt": { $0.squareRoot() }, "Reciprocal": { 1 / $0 },
    "Exp": { expf($0) }, "Log": { logf($0) }, "Sigmoid": { 1 / (1 + expf(-$0)) }, "Tanh": { tanhf($0) },
    "Relu": { max($0, 0) }, "Sign": { $0 > 0 ? 1 : $0 < 0 ? -1 : $0 },
  ]

  /// The numbers as another element type, by the standard's number of it; floats of any width stay floats.
  package func cast(to type: Int) throws(StyleModelError) -> Numbers {
    switch type {
    case 1, 10, 11, 16: return Numbers(shape: shape, .floats(floats))
    case 9: return Numbers(shape: shape, .integers(floats.map { $0 == 0 ? 0 : 1 }))
    case 2...7, 12, 13:
      if integers != nil { return self }
      var result: [Int] = []
      for value in floats {
        guard let whole = Int(exactly: value.rounded(.towardZero)) else {
          throw StyleModelError(.badInput, "casts \(value) to an integer")
        }
        result.append(whole)
      }
      return Numbers(shape: shape, .integers(result))
    default: throw StyleModelError(.badInput, "casts a constant to element type \(type), which is not known")
    }
  }

  /// Sums, products, means and extremes along axes, or nil if the operator is none.
  package func reduced(_ operation: String, axes: [Int], keepsAxes: Bool) throws(StyleModelError) -> Numbers?
  {
    guard ["ReduceProd", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceMean"].contains(operation) else {
      return nil
    }
    let kept = shape.indices.map { axes.contains($0) ? 1 : shape[$0] }
    let strides = Places(kept)
    var target: [Int] = []
    Places(shape).forEach { target.append(strides.broadcast($0)) }
    let size = kept.reduce(1, *)
    let result = keepsAxes ? kept : shape.indices.filter { !axes.contains($0) }.map { shape[$0] }
    let step =
      operation == "ReduceProd"
      ? "Mul" : operation == "ReduceMax" ? "Max" : operation == "ReduceMin" ? "Min" : "Add"
    guard target.count == count, count > 0 else { return nil }
    if operation == "ReduceMean" {
      var sums = [Float](repeating: 0, count: size)
      for (place, value) in zip(target, floats) { sums[place] += value }
      return Numbers(shape: result, .floats(sums.map { $0 / Float(count / size) }))
    }
    var found = [Numbers?](repeating: nil, count: size)
    for (index, place) in target.enumerated() {
      let one = gathered([index], shape: [])
      if let old = found[place] {
        found[place] = try Numbers.combine(step, old, one)
      } else {
        found[place] = one
      }
    }
    let all = found.compactMap { $0 }
    guard all.count == size else { return nil }
    if integers != nil { return Numbers(shape: result, .integers(all.flatMap { $0.integers ?? [] })) }
    return Numbers(shape: result, .floats(all.flatMap(\.floats)))
  }
}
