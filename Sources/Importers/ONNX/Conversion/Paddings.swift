import Diagnostics
import ModelGraph
import PictureTracing
import Tensors

extension NetworkConversion {
  /// `Pad`. Negative amounts crop.
  mutating func convertPadding() throws(StyleModelError) -> ImportedValue {
    let input = try picture()
    let source = try plain(input)
    guard let lists = try list(operatorSet < 2 ? "paddings" : "pads", 1) else {
      throw StyleModelError(.badInput, "lacks its amounts")
    }
    let pads = try agreed("its amounts", probes.alive.map { lists[$0] })
    let rank = input.arrangements[0].shape.count
    let axes = try fixed(3)?.integers ?? Array(0..<rank)
    var begin = [Int](repeating: 0, count: rank)
    var end = begin
    guard pads.count == 2 * axes.count, pads.allSatisfy({ (-4096...4096).contains($0) }) else {
      throw StyleModelError(.badInput, "has amounts \(pads) for \(axes.count) axes")
    }
    for (index, axis) in axes.enumerated() {
      guard let sound = soundAxis(axis, rank: rank) else {
        throw StyleModelError(.badInput, "pads axis \(axis)")
      }
      begin[sound] = pads[index]
      end[sound] = pads[index + axes.count]
    }
    guard rank == 4, (begin[..<2] + end[..<2]).allSatisfy({ $0 == 0 }) else {
      throw StyleModelError(.badInput, "pads other axes than height and width: \(pads)")
    }
    var mode = PaddingMode.zero
    var filling: Float = 0
    switch try node.word("mode", default: "constant") {
    case "constant":
      let given = try fixed(2)?.floats.first
      let attribute = try node.number("value", default: 0)
      filling = given ?? attribute
    case "reflect": mode = .reflect
    case "edge": mode = .replicate
    case let other:
      throw StyleModelError(
        .badInput, "pads by '\(other)'", remedy: "constant, reflect and edge are understood")
    }
    func clamped(_ sign: Int) -> Insets {
      Insets(
        top: max(0, sign * begin[2]), left: max(0, sign * begin[3]), bottom: max(0, sign * end[2]),
        right: max(0, sign * end[3]))
    }
    var value = source
    if clamped(-1) != .zero { value = try probes.emit(.crop(Crop(input: value, amounts: clamped(-1)))) }
    if clamped(1) != .zero || value == source {
      value =
        mode == .zero
        ? try padded(value, clamped(1), filling: filling)
        : try probes.emit(.pad(Pad(input: value, amounts: clamped(1), mode: mode)))
    }
    return .picture(try shown(value))
  }
}
