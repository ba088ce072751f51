/// A step whose work is cut into units, each of which writes some rows of the output whole or in part.
///
/// Units may run in any order and on any thread as soon as the rows that they read are there, so a map that is only
/// there row by row does as well as a whole one, and every number comes out the same.
protocol UnitStep: Step {
  /// The map that `inputRows` are rows of, or nil where none is read but the output's counterparts in other maps.
  var input: BufferID? { get }
  /// Whether the output is written, and not only looked at.
  var writes: Bool { get }
  /// Whether the statistics of the output are taken, which are known only at its end.
  var isMeasuring: Bool { get }
  /// The number of units.
  var unitCount: Int { get }
  /// The rows of the output that a unit writes to. It also reads these rows of the stages' other maps.
  func outputRows(of unit: Int) -> Range<Int>
  /// The rows of the input that a unit reads; empty where it reads none.
  func inputRows(of unit: Int) -> Range<Int>
  /// What must be done before the first unit: the measurement of the step before is complete by then.
  func prepare(on machine: Machine)
  /// Computes units.
  func run(_ units: [Int], on machine: Machine)
  /// What must be done after the last unit.
  func finish(on machine: Machine)
  /// The same step without its measurement.
  func withoutMeasurement() -> any UnitStep
}

extension UnitStep {
  var writes: Bool { true }
  var isMeasuring: Bool { false }
  func prepare(on machine: Machine) {}
  func finish(on machine: Machine) {}
  func withoutMeasurement() -> any UnitStep { self }

  func run(on machine: Machine) {
    prepare(on: machine)
    run(Array(0..<unitCount), on: machine)
    finish(on: machine)
  }

  /// The maps of the stages, of which a unit reads the rows that it writes.
  var counterparts: [BufferID] { stages.compactMap(\.other) }
}

extension PixelSpans {
  /// The rows that a span touches.
  func rows(of index: Int, width: Int) -> Range<Int> {
    let span = self[index]
    guard let last = span.last, width > 0 else { return 0..<0 }
    return span.lowerBound / width..<last / width + 1
  }
}

extension Collection<Int32> {
  /// The indices from the smallest to the largest, those that stand for zeros left out.
  var indexRange: Range<Int> {
    var lower = Int32.max
    var upper = Int32(-1)
    for index in self where index >= 0 {
      lower = Swift.min(lower, index)
      upper = Swift.max(upper, index)
    }
    return upper < 0 ? 0..<0 : Int(lower)..<Int(upper) + 1
  }
}
