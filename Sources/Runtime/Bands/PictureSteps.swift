import Imaging
import ModelGraph

/// The rows of the network's input, taken from the picture as they are wanted.
struct SourceStep: UnitStep {
  /// The picture, until no pass needs it any more.
  final class Box {
    var picture: Picture?
  }

  let box: Box
  let contract: PixelContract
  let output: BufferID
  let layout: MapLayout
  var stages: [Stage] = []

  var input: BufferID? { nil }
  var reads: [BufferID] { [] }
  var takesStages: Bool { false }
  var workEstimate: Double { Double(layout.floatCount * 4) }
  var unitCount: Int { layout.height }
  func outputRows(of unit: Int) -> Range<Int> { unit..<unit + 1 }
  func inputRows(of unit: Int) -> Range<Int> { 0..<0 }

  func run(_ units: [Int], on machine: Machine) {
    guard let picture = box.picture else {
      preconditionFailure("the picture is kept for as long as it is read")
    }
    for row in units {
      contract.write(picture, rows: row..<row + 1, to: machine.pointer(output) + row * layout.rowStride)
    }
  }
}

/// The picture, made of the rows of the network's output as they are done.
struct SinkStep: UnitStep {
  /// Where the samples go, as long as there is a place for them.
  final class Box {
    var samples: UnsafeMutablePointer<Float>?
  }

  let box: Box
  let contract: PixelContract
  /// The network's output.
  let output: BufferID
  let layout: MapLayout
  /// The size of the picture, which may be less than the map's.
  let size: PictureSize
  var stages: [Stage] = []

  var input: BufferID? { output }
  var reads: [BufferID] { [output] }
  var takesStages: Bool { false }
  var writes: Bool { false }
  var workEstimate: Double { Double(layout.floatCount * 4) }
  var unitCount: Int { layout.height }
  func outputRows(of unit: Int) -> Range<Int> { unit..<unit + 1 }
  func inputRows(of unit: Int) -> Range<Int> { unit..<unit + 1 }

  func run(_ units: [Int], on machine: Machine) {
    guard let samples = box.samples else { preconditionFailure("the last pass has a place for the samples") }
    for row in units where row < size.height {
      contract.read(
        machine.pointer(output) + row * layout.rowStride, pixels: size.width,
        into: samples + row * size.width * 3)
    }
  }
}
