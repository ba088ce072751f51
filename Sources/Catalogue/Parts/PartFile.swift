public import Diagnostics
public import Evaluation
import Files
import Synchronization

/// The part file of a shard that is at work. It is valid at any moment: every save replaces it as a whole. Safe to use
/// from any thread, so that one that is told to stop can save while another computes.
public final class PartFile: Sendable {
  /// Where it is.
  public let path: String
  /// What was planned.
  public let plan: CataloguePlan
  /// Which shard it is of.
  public let shard: Shard

  private let opening: String
  private let identifiers: UnitIdentifiers
  private let clock: @Sendable () -> Double
  private let state = Mutex(State())

  /// What is done, each piece as the file has it: a save only strings them together.
  private struct State {
    var heads: [Int: String] = [:]
    var units: [Int: String] = [:]
    /// The units that carry pictures, by model: the PSNR, and the unit without them.
    var exhibits: [Int: [Int: (psnr: Double, bare: String)]] = [:]
    var isSaved = false
    var lastSave = (ended: -Double.infinity, duration: 0.0)
  }

  /// Of the time that a shard works, saving may take this share: a save must be worth its while.
  private static let greatestShare = 0.05

  /// Opens the part file of a shard, and takes over the units that an earlier run of it has done with the same tool and
  /// the same inputs, those that failed excepted. A file that cannot be read is left aside: it is replaced by the next save.
  /// - Parameters:
  ///   - folder: where parts are kept.
  ///   - tool: the program with its version.
  ///   - clock: seconds since some fixed moment.
  public init(
    folder: String, plan: CataloguePlan, shard: Shard, tool: String, clock: @escaping @Sendable () -> Double
  ) {
    path = folder + "/" + shard.fileName
    self.plan = plan
    self.shard = shard
    self.clock = clock
    identifiers = UnitIdentifiers(plan)
    opening = """
      {"schema":\(JSONValue.string(partSchema).text(indented: false)),\
      "tool":\(JSONValue.string(tool).text(indented: false)),\
      "shard":"\(shard)","plan_hash":"\(plan.hash)","plan":\(plan.json(tool: tool).text(indented: false)),
      """
    guard let earlier = try? Part(path: path), earlier.tool == tool else { return }
    let done = Dictionary(
      earlier.units.filter { $0.outcome.picture.figures != nil }.map { ($0.identifier, $0.outcome) },
      uniquingKeysWith: { first, _ in first })
    guard !done.isEmpty else { return }
    for index in plan.units(of: shard) {
      let unit = plan.unit(at: index)
      guard let outcome = done[identifiers.identifier(unit)] else { continue }
      take(outcome, at: index)
    }
    guard earlier.plan.hash == plan.hash else { return }
    for head in earlier.heads where head.head.failure == nil {
      let index = head.model * plan.schemes.count + head.scheme
      state.withLock { $0.heads[index] = text(of: head) }
    }
  }

  /// How many units are done.
  public var doneCount: Int { state.withLock { $0.units.count } }

  /// Whether a unit is done.
  public func isDone(_ index: Int) -> Bool { state.withLock { $0.units[index] != nil } }

  /// Whether it is known what reports say of a model in a scheme.
  public func hasHead(model: Int, scheme: Int) -> Bool {
    state.withLock { $0.heads[model * plan.schemes.count + scheme] != nil }
  }

  /// Takes down what reports say of a model in a scheme; it is saved with the next unit.
  public func add(_ head: ReportHead, model: Int, scheme: Int) {
    let text = text(of: Part.Head(model: model, scheme: scheme, head: head))
    state.withLock { state in
      state.heads[model * plan.schemes.count + scheme] = text
      state.isSaved = false
    }
  }

  /// Takes down a unit, and saves the file unless that was done just before.
  /// - Throws: what `save` throws.
  public func add(_ outcome: UnitOutcome, at index: Int) throws(StyleModelError) {
    take(outcome, at: index)
    let isDue = state.withLock { state in
      clock() - state.lastSave.ended >= state.lastSave.duration / Self.greatestShare
    }
    if isDue { try save() }
  }

  /// Of a model's pictures only the worst are carried, as in a report.
  private func take(_ outcome: UnitOutcome, at index: Int) {
    let unit = plan.unit(at: index)
    let full = text(of: unit, outcome)
    var bare = outcome
    bare.picture.exhibit = nil
    let exhibit = outcome.picture.exhibit.map { _ in
      (psnr: outcome.picture.figures?.quality.psnr ?? 0, bare: text(of: unit, bare))
    }
    state.withLock { state in
      state.units[index] = full
      state.isSaved = false
      guard let exhibit else { return }
      state.exhibits[unit.model, default: [:]][index] = exhibit
      let carrying = state.exhibits[unit.model] ?? [:]
      guard carrying.count > greatestExhibitCount else { return }
      let best = carrying.sorted { $0.key < $1.key }.max { $0.value.psnr < $1.value.psnr }
      guard let best else { return }
      state.units[best.key] = best.value.bare
      state.exhibits[unit.model]?[best.key] = nil
    }
  }

  /// Writes the file, unless it is as it should be already.
  /// - Throws: `.cannotCreate` or `.cannotWrite`.
  public func save() throws(StyleModelError) {
    // The lock is held while the file is written, so that two saves cannot overtake each other.
    try state.withLock { (state) throws(StyleModelError) in
      guard !state.isSaved else { return }
      let start = clock()
      try replaceFile(path, with: Array(text(of: state).utf8))
      let end = clock()
      state.isSaved = true
      state.lastSave = (end, end - start)
    }
  }

  private func text(of state: State) -> String {
    func lines(_ pieces: [Int: String]) -> String {
      pieces.sorted { $0.key < $1.key }.map(\.value).joined(separator: ",\n")
    }
    return "\(opening)\n\"heads\":[\n\(lines(state.heads))\n],\n\"units\":[\n\(lines(state.units))\n]}\n"
  }

  private func text(of head: Part.Head) -> String {
    let value: JSONValue = [
      "model": .integer(head.model), "scheme": .integer(head.scheme), "head": head.head.json,
    ]
    return value.text(indented: false)
  }

  private func text(of unit: PlannedUnit, _ outcome: UnitOutcome) -> String {
    let value: JSONValue = [
      "id": .string(identifiers.identifier(unit)), "model": .integer(unit.model),
      "scheme": .integer(unit.scheme), "picture": .integer(unit.picture), "outcome": outcome.json,
    ]
    return value.text(indented: false)
  }
}
