import Diagnostics
import Tensors
import TestSupport
import Testing

@testable import Quantization

@Suite struct QuantizeToHalvesTests {
  private func halves(_ floats: [Float], axis: Int? = nil, shape: Shape? = nil) throws -> StoredTensor? {
    let result = try quantizeToHalves(floats, shape: shape ?? Shape([floats.count]), axis: axis)
    if case .tensor(let tensor) = result { return tensor }
    return nil
  }

  @Test func roundsToTheNearestHalf() throws {
    let tensor = try #require(try halves([1, 1 + 0x1p-11, 1 + 3 * 0x1p-11, -0.1, 65504, 0]))
    #expect(tensor.encoding == .plain(.float16))
    #expect(tensor.floats() == [1, 1, 1 + 0x1p-9, Float(Float16(-0.1)), 65504, 0])
  }

  @Test(arguments: [65520, -65520, 1e30] as [Float]) func refusesOverflow(value: Float) throws {
    guard case .refused(let reason) = try quantizeToHalves([1, value], shape: [2], axis: nil) else {
      Issue.record("\(value) was taken")
      return
    }
    #expect(reason.contains("\(value)"))
    #expect(try halves([65519]) != nil)
  }

  @Test func refusesNumbersThatWouldLoseTheirPrecision() throws {
    #expect(try halves([1, 1e-9]) == nil)
    #expect(try halves([1, 3.1e-7]) == nil)
    #expect(try halves([1, 3e-5]) != nil)
    #expect(try halves([0x1p-24, 0]) != nil)
  }

  @Test func smallWeightsBesideLargeOnesAreNoReason() throws {
    let shape: Shape = [2, 2, 1, 1]
    #expect(try halves([1, 1e-9, 1e-9, 2], axis: 0, shape: shape) != nil)
    #expect(try halves([1, 2, 1e-9, 2e-9], axis: 0, shape: shape) == nil)
    #expect(try halves([1, 1e-9, 2, 2e-9], axis: 1, shape: shape) == nil)
    #expect(try halves([1, 2, 0, 0], axis: 0, shape: shape) != nil)
  }

  /// The bound that the table of schemes states, from magnitudes that vanish to ones that overflow.
  @Test(arguments: [nil, 0, 1]) func staysWithinItsBound(axis: Int?) throws {
    var random = SeededRandom(seed: 5)
    let shape: Shape = [3, 4, 2, 1]
    var taken = 0
    for exponent in -30...16 {
      let scale = Float(sign: .plus, exponent: exponent, significand: 1)
      let floats = random.floats(shape.count).map { $0 * scale }
      guard let tensor = try halves(floats, axis: axis, shape: shape) else { continue }
      taken += 1
      let decoded = tensor.floats()
      var largest = [Int: Float]()
      forEachRun(shape: shape, axis: axis) { channel, run in
        for index in run { largest[channel] = max(largest[channel] ?? 0, floats[index].magnitude) }
      }
      forEachRun(shape: shape, axis: axis) { channel, run in
        for index in run {
          let error = abs(floats[index] - decoded[index])
          let peak = axis == nil ? floats[index].magnitude : largest[channel] ?? 0
          #expect(error <= peak * 0x1p-8, "\(floats[index]) came back as \(decoded[index])")
          if floats[index].magnitude >= 0x1p-14 { #expect(error <= floats[index].magnitude * 0x1p-11) }
        }
      }
    }
    #expect(taken > 20)
  }
}
