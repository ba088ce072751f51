import Diagnostics
import ModelGraph
import Tensors

extension ProgramConversion {
  /// What the operation computes from the extents of pictures alone, for each probed size; nil where it needs pixels, or
  /// nothing that depends on extents.
  mutating func foldedExtents() throws(StyleModelError) -> [[Double]]? {
    if operation.type == "shape" {
      guard case .picture(let picture)? = try argument("x") else {
        throw StyleModelError(.badInput, "asks for the shape of what is no picture")
      }
      var lists: [[Double]] = []
      for size in 0..<probes.count {
        // What a size that dropped out gives is not looked at.
        let place = probes.alive.contains(size) ? size : probes.alive[0]
        lists.append(try extents(picture, at: place).map(Double.init))
      }
      return lists
    }
    guard Self.foldable.contains(operation.type), try dependsOnExtents() else { return nil }
    var lists: [[Double]] = []
    for size in 0..<probes.count { lists.append(try folded(at: size)) }
    return lists
  }

  private static let foldable: Set<String> = [
    "gather", "slice_by_index", "squeeze", "expand_dims", "reshape", "identity", "cast", "concat", "stack",
    "add", "sub", "mul", "real_div", "floor_div", "floor", "ceil", "round",
  ]

  private mutating func dependsOnExtents() throws(StyleModelError) -> Bool {
    for role in ["x", "y", "values"] {
      for argument in operation.inputs[role] ?? [] {
        if case .extents = try term(argument) { return true }
      }
    }
    return false
  }

  private mutating func list(_ role: String, at size: Int) throws(StyleModelError) -> [Double] {
    guard let list = try listsBySize(role)?[size] else {
      throw StyleModelError(.badInput, "lacks '\(role)'")
    }
    return list
  }

  private mutating func folded(at size: Int) throws(StyleModelError) -> [Double] {
    switch operation.type {
    case "squeeze", "expand_dims", "reshape", "identity": return try list("x", at: size)
    case "cast":
      let numbers = try list("x", at: size)
      return try word("dtype", default: "").hasPrefix("int")
        ? numbers.map { $0.rounded(.towardZero) } : numbers
    case "floor": return try list("x", at: size).map { $0.rounded(.down) }
    case "ceil": return try list("x", at: size).map { $0.rounded(.up) }
    case "round": return try list("x", at: size).map { $0.rounded(.toNearestOrEven) }
    case "gather":
      let numbers = try list("x", at: size)
      var result: [Double] = []
      for place in try list("indices", at: size) {
        result.append(numbers[try index(place, numbers.count)])
      }
      return result
    case "slice_by_index": return try sliced(try list("x", at: size), at: size)
    case "concat", "stack":
      var result: [Double] = []
      for argument in operation.inputs["values"] ?? [] {
        switch try term(argument) {
        case .extents(let lists): result += lists[size]
        case .known(let value): result += try shortList(value, "values")
        default: throw StyleModelError(.badInput, "joins extents and pixels")
        }
        guard result.count <= 64 else { throw StyleModelError(.badInput, "joins too many numbers") }
      }
      return result
    default: return try arithmetic(try list("x", at: size), try list("y", at: size))
    }
  }

  private func index(_ number: Double, _ count: Int) throws(StyleModelError) -> Int {
    guard let whole = Int(exactly: number), (-count..<count).contains(whole) else {
      throw StyleModelError(.badInput, "takes element \(number) of \(count)")
    }
    return whole < 0 ? whole + count : whole
  }

  private mutating func sliced(_ numbers: [Double], at size: Int) throws(StyleModelError) -> [Double] {
    let first = try listsBySize("begin_mask")?[size].first == 1 ? 0 : list("begin", at: size).first ?? 0
    let start = try index(first, numbers.count)
    if try listsBySize("squeeze_mask")?[size].first == 1 { return [numbers[start]] }
    if try listsBySize("end_mask")?[size].first == 1 { return Array(numbers[start...]) }
    guard let end = Int(exactly: try list("end", at: size).first ?? 0), end <= numbers.count,
      case let stop = end < 0 ? end + numbers.count : end, start <= stop
    else { throw StyleModelError(.badInput, "takes numbers that are not there") }
    return Array(numbers[start..<stop])
  }

  private func arithmetic(_ left: [Double], _ right: [Double]) throws(StyleModelError) -> [Double] {
    guard !left.isEmpty, !right.isEmpty, left.count == right.count || left.count == 1 || right.count == 1
    else {
      throw StyleModelError(.badInput, "combines \(left.count) numbers and \(right.count)")
    }
    return (0..<max(left.count, right.count)).map { place in
      let (a, b) = (left[left.count == 1 ? 0 : place], right[right.count == 1 ? 0 : place])
      return switch operation.type {
      case "add": a + b
      case "sub": a - b
      case "mul": a * b
      case "real_div": a / b
      default: (a / b).rounded(.down)
      }
    }
  }
}
