/// Which share of a plan a process does.
public struct Shard: Hashable, Sendable, CustomStringConvertible {
  /// The share's place, from 0.
  public let index: Int
  /// How many shares there are.
  public let count: Int

  /// The most shares that a plan is divided into.
  public static let greatestCount = 1_000_000

  /// Creates a share; nil where the place lies outside.
  public init?(index: Int, of count: Int) {
    guard (1...Self.greatestCount).contains(count), (0..<count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// Reads `K/N`, counted from one: `1/6` to `6/6`.
  public init?(_ text: String) {
    let fields = text.split(separator: "/", omittingEmptySubsequences: false)
    guard fields.count == 2, let place = Int(fields[0]), let count = Int(fields[1]), place > 0 else {
      return nil
    }
    self.init(index: place - 1, of: count)
  }

  /// As `--shard` takes it: `3/6`.
  public var description: String { "\(index + 1)/\(count)" }

  /// The name of its part file: names sort as shards do.
  public var fileName: String {
    func padded(_ number: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, String(count).count - digits.count)) + digits
    }
    return "part-\(padded(index + 1))-of-\(count).json"
  }
}

extension CataloguePlan {
  /// The units of every shard: each shard gets neighbours, and as nearly the same cost as whole units allow. The split
  /// depends on the plan and the number of shards, and on nothing else.
  ///
  /// A unit belongs to the shard in whose share of the total cost its middle lies, so that no shard's cost differs from
  /// an even share by more than the cost of one unit.
  public func split(into count: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(count)
    var before = 0
    var start = 0
    for index in 0..<unitCount {
      let cost = cost(of: unit(at: index))
      // (2 * before + cost) / (2 * total) is where the middle lies; `totalCost` keeps all of it within range.
      let middle = (2 * before + cost).multipliedFullWidth(by: count)
      let shard = (2 * totalCost).dividingFullWidth(middle).quotient
      while ranges.count < shard {
        ranges.append(start..<index)
        start = index
      }
      before += cost
    }
    while ranges.count < count {
      ranges.append(start..<unitCount)
      start = unitCount
    }
    return ranges
  }

  /// The units of one shard, by their places in the order.
  public func units(of shard: Shard) -> Range<Int> { split(into: shard.count)[shard.index] }

  /// The estimated cost of some units.
  public func cost(of units: Range<Int>) -> Int { units.reduce(0) { $0 + cost(of: unit(at: $1)) } }
}
