/// Places maps in one block of memory, where one that is written band by band may lie over one that is read for the last
/// time meanwhile, as long as its rows stay behind those still to be read.
struct BandPlacement {
  /// A map that is kept for some passes.
  struct Item {
    let floats: Int
    /// The passes that need it, from the one that writes it.
    let passes: ClosedRange<Int>
  }

  /// That `upper`, read for the last time, may lie over `lower`, written in the same pass, where it begins at least so many
  /// floats later.
  struct Overlay {
    let lower: Int
    let upper: Int
    let distance: Int
  }

  let items: [Item]
  let overlays: [Overlay]

  /// The least that any placement needs in a pass: what is alive then, overlaid as well as can be.
  func floatsNeeded(in pass: Int) -> Int {
    var floats = items.filter { $0.passes.contains(pass) }.reduce(0) { $0 + $1.floats }
    var taken: Set<Int> = []
    let savings = overlays.filter { items[$0.lower].passes.lowerBound == pass }.map { overlay in
      let both = items[overlay.lower].floats + items[overlay.upper].floats
      let overlaid = max(
        items[overlay.lower].floats, max(overlay.distance, 0) + items[overlay.upper].floats)
      return (overlay, saved: both - overlaid)
    }
    for (overlay, saved) in savings.sorted(by: { $0.saved > $1.saved })
    where saved > 0 && !taken.contains(overlay.lower) && !taken.contains(overlay.upper) {
      taken.formUnion([overlay.lower, overlay.upper])
      floats -= saved
    }
    return floats
  }

  /// Where each item begins, and the size of the block. It looks for a block that is hardly larger than the fullest pass
  /// needs; where none is found in reasonable time, each item lies as low as it fits.
  func place() -> (offsets: [Int], floats: Int) {
    guard let last = items.map(\.passes.upperBound).max() else { return ([], 0) }
    let least = (0...last).map(floatsNeeded).max() ?? 0
    for share in 0...16 {
      var search = Search(self, capacity: (least + least / 64 * share + 15) / 16 * 16)
      if let offsets = search.run() { return (offsets, end(of: offsets)) }
    }
    var search = Search(self, capacity: items.reduce(0) { $0 + $1.floats })
    search.takesLowestOnly = true
    guard let offsets = search.run() else { preconditionFailure("there is room for all beside each other") }
    return (offsets, end(of: offsets))
  }

  private func end(of offsets: [Int]) -> Int {
    zip(offsets, items).map { $0 + $1.floats }.max() ?? 0
  }

  /// The offsets that an item may not have, beside one that is placed; nil where it may have any.
  func forbidden(_ item: Int, beside other: Int, at offset: Int) -> Range<Int>? {
    guard items[item].passes.overlaps(items[other].passes) else { return nil }
    var range = offset - items[item].floats + 1..<offset + items[other].floats
    for overlay in overlays {
      if overlay.lower == item, overlay.upper == other {
        range = max(offset - overlay.distance + 1, range.lowerBound)..<range.upperBound
      }
      if overlay.upper == item, overlay.lower == other {
        range = range.lowerBound..<min(offset + overlay.distance, range.upperBound)
      }
    }
    return range.isEmpty ? nil : range
  }

  /// A search in the order in which the items are written: each goes as low or as high as it fits, and where that leads
  /// nowhere, the other way.
  private struct Search {
    let placement: BandPlacement
    let capacity: Int
    let order: [Int]
    var takesLowestOnly = false
    var offsets: [Int]
    var triesLeft = 20_000

    init(_ placement: BandPlacement, capacity: Int) {
      self.placement = placement
      self.capacity = capacity
      order = placement.items.indices.sorted {
        (placement.items[$0].passes.lowerBound, $0) < (placement.items[$1].passes.lowerBound, $1)
      }
      offsets = [Int](repeating: 0, count: order.count)
    }

    mutating func run() -> [Int]? { extend(0) ? offsets : nil }

    private mutating func extend(_ depth: Int) -> Bool {
      guard depth < order.count else { return true }
      triesLeft -= 1
      guard triesLeft > 0 else { return false }
      let item = order[depth]
      let top = capacity - placement.items[item].floats
      let forbidden = order[..<depth].compactMap {
        placement.forbidden(item, beside: $0, at: offsets[$0])
      }
      var places = [0, top]
      for range in forbidden { places += [range.lowerBound - 1, range.upperBound + 15] }
      places = places.map { $0 & ~15 }  // whole cache lines
      places.removeAll { place in
        place < 0 || place > top || forbidden.contains { $0.contains(place) }
      }
      guard let lowest = places.min(), let highest = places.max(), top >= 0 else { return false }
      for place in takesLowestOnly || lowest == highest ? [lowest] : [highest, lowest] {
        offsets[item] = place
        if extend(depth + 1) { return true }
      }
      return false
    }
  }
}
