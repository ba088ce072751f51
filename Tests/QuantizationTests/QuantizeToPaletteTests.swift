import Tensors
import TestSupport
import Testing

@testable import Quantization

@Suite struct QuantizeToPaletteTests {
  static let forms: [PaletteForm] = (1...8).flatMap { bits in
    [(nil, 1), (0, 2), (0, 6), (1, 4)].map { PaletteForm(bits: bits, axis: $0, tables: $1) }
  }

  @Test(arguments: forms) func everyNumberHasTheNearestOfItsTable(form: PaletteForm) throws {
    var random = SeededRandom(seed: 9)
    let shape = Shape([6, 4, 3, 3])
    let floats = random.floats(shape.count).map { $0 * $0 * $0 }
    let tensor = try quantizeToPalette(floats, shape: shape, form: form)
    guard case .palette(let palette) = tensor.encoding else {
      Issue.record("is \(tensor.encoding)")
      return
    }
    #expect(palette.bits == form.bits && palette.axis == form.axis && palette.tables.count == form.tables)
    var spans = [(low: Float, high: Float)](repeating: (.infinity, -.infinity), count: form.tables)
    for (index, value) in floats.enumerated() {
      let table = form.table(of: index, in: shape)
      spans[table] = (min(spans[table].low, value), max(spans[table].high, value))
    }
    for (index, (value, stored)) in zip(floats, tensor.floats()).enumerated() {
      let table = form.table(of: index, in: shape)
      let least = palette.tables[table].map { ($0 - value).magnitude }.min() ?? .infinity
      #expect((stored - value).magnitude <= least.nextUp)
      #expect((stored - value).magnitude <= (spans[table].high - spans[table].low) / 2)
      #expect(palette.tables[table].contains(stored))
    }
  }

  @Test func asManyNumbersAsTheTableHasAreKept() throws {
    let floats: [Float] = [3, -1, 0.5, 3, -1, -1, 0.5, 7]
    let tensor = try quantizeToPalette(
      floats, shape: Shape([8, 1, 1, 1]), form: PaletteForm(bits: 2, axis: nil, tables: 1))
    #expect(tensor.floats() == floats)
  }

  @Test func aPaletteErrsLessThanEvenSteps() throws {
    var random = SeededRandom(seed: 3)
    let shape = Shape([1, 40, 10, 10])
    // Weights are dense about zero.
    let floats = random.floats(shape.count).map { $0 * $0 * $0 }
    let palette = try quantizeToPalette(
      floats, shape: shape, form: PaletteForm(bits: 4, axis: nil, tables: 1))
    let steps = try #require(
      try quantizeToIntegers(floats, shape: shape, form: IntegerForm(bits: 4, isAffine: true, axis: nil)))
    func error(_ tensor: StoredTensor) -> Float {
      zip(floats, tensor.floats()).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    #expect(error(palette) < error(steps) / 2)
  }
}
