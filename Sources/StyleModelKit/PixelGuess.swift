import Imaging
public import ModelGraph
import Runtime

/// Which pixels a network most likely wants and gives, where its file does not say. It is offered, never taken: two
/// networks with the same tensors can differ in this alone.
public struct PixelGuess: Hashable, Sendable, CustomStringConvertible {
  /// The preset.
  public var preset: PixelPreset
  /// What speaks for it.
  public var reason: String

  /// For people: `raw255 is likely: …`.
  public var description: String { "\(preset.rawValue) is likely: \(reason)" }

  /// Guesses by how the network ends, or else by what it makes of a sample picture; nil where neither tells.
  init?(_ graph: Graph) {
    guard let guess = PixelGuess(lastOperationOf: graph) ?? PixelGuess(runningOn: graph) else { return nil }
    self = guess
  }

  private init(_ preset: PixelPreset, _ reason: String) {
    self.preset = preset
    self.reason = reason
  }

  private init?(lastOperationOf graph: Graph) {
    guard let last = graph.nodes.first(where: { $0.result == graph.output }),
      case .activation(let activation) = last.operation
    else { return nil }
    switch activation.function {
    case .clamp(lower: 0, upper: 255): self.init(.raw255, "its output is kept within 0 and 255")
    case .clamp(lower: 0, upper: 1): self.init(.unit, "its output is kept within 0 and 1")
    case .clamp(lower: -1, upper: 1): self.init(.signed, "its output is kept within -1 and 1")
    case .sigmoid: self.init(.unit, "it ends with a sigmoid, which gives 0…1")
    case .tanh: self.init(.signed, "it ends with a tanh, which gives -1…1")
    default: return nil
    }
  }

  /// Networks with instance norms give the same picture for pixels of nearly any scale, so their output tells the unit.
  private init?(runningOn graph: Graph) {
    var raw = graph
    raw.contract = PixelPreset.raw255.contract
    guard let engine = try? Engine(raw), let output = try? engine.run(PixelGuess.sample),
      output.samples.allSatisfy(\.isFinite), let low = output.samples.min(), let high = output.samples.max()
    else { return nil }
    let reason =
      "on a sample picture its output lies between \(fixed(Double(low), 2)) and \(fixed(Double(high), 2))"
    let preset: PixelPreset =
      switch high - low {
      case 16...: .raw255
      case _ where low >= -0.3 && high <= 1.3: .unit
      case _ where low >= -1.2 && high <= 1.2: .signed
      default: .imagenet
      }
    self.init(preset, reason)
  }

  /// Colour ramps with edges in them.
  private static let sample: Picture = {
    let side = 128
    var samples: [Float] = []
    for row in 0..<side {
      for column in 0..<side {
        let square: Float = (row / 16 + column / 16) % 2 == 0 ? 0 : 80
        samples += [Float(column) + square, Float(row) + square, Float(row + column) / 2 + square]
      }
    }
    return Picture(width: side, height: side, samples: samples)
  }()
}
