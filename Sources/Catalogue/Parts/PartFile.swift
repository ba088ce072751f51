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

  private let tool: String
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
    /// The units that failed.
    var failures: Set<Int> = []
    var isSaved = false
    /// The file as this process last saw it.
    var stamp: FileStamp?
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
    self.tool = tool
    self.clock = clock
    identifiers = UnitIdentifiers(plan)
    opening = """
      {"schema":\(JSONValue.string(partSchema).text(indented: false)),\
      "tool":\(JSONValue.string(tool).text(indented: false)),\
      "shard":"\(shard)","plan_hash":"\(plan.hash)","plan":\(plan.json(tool: tool).text(indented: false)),
      """
    state.withLock { takeOver(&$0) }
  }

  /// Takes over the units of the file that is there, as far as they are still to be done. Another process may be at work
  /// on the same shard: an engine that has lost sight of a node starts the shard again elsewhere, while the first one
  /// goes on. Neither undoes what the other has done.
  private func takeOver(_ state: inout State) {
    state.stamp = FileStamp(path)
    guard state.stamp != nil, let earlier = try? Part(path: path), earlier.tool == tool else { return }
    let done = Dictionary(
      earlier.units.filter { $0.outcome.picture.figures != nil }.map { ($0.identifier, $0.outcome) },
      uniquingKeysWith: { first, _ in first })
    guard !done.isEmpty else { return }
    for index in plan.units(of: shard) where state.units[index] == nil || state.failures.contains(index) {
      let unit = plan.unit(at: index)
      guard let outcome = done[identifiers.identifier(unit)] else { continue }
      take(outcome, at: index, &state)
    }
    guard earlier.plan.hash == plan.hash else { return }
    for head in earlier.heads where head.head.failure == nil {
      let index = head.model * plan.schemes.count + head.scheme
      if state.heads[index] == nil { state.heads[index] = text(of: head) }
    }
  }

  /// How many units are done.
  public var doneCount: Int { state.withLock { $0.units.count } }

  /// How many of them failed.
  public var failedCount: Int { state.withLock { $0.failures.count } }

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
    let isDue = state.withLock { state in
      take(outcome, at: index, &state)
      return clock() - state.lastSave.ended >= state.lastSave.duration / Self.greatestShare
    }
    if isDue { try save() }
  }

  /// Of a model's pictures only the worst are carried, as in a report.
  private func take(_ outcome: UnitOutcome, at index: Int, _ state: inout State) {
    let unit = plan.unit(at: index)
    state.units[index] = text(of: unit, outcome)
    if outcome.picture.figures == nil { state.failures.insert(index) } else { state.failures.remove(index) }
    state.isSaved = false
    guard outcome.picture.exhibit != nil else { return }
    var bare = outcome
    bare.picture.exhibit = nil
    state.exhibits[unit.model, default: [:]][index] = (
      outcome.picture.figures?.quality.psnr ?? 0, text(of: unit, bare)
    )
    let carrying = state.exhibits[unit.model] ?? [:]
    guard carrying.count > greatestExhibitCount else { return }
    let best = carrying.sorted { $0.key < $1.key }.max { $0.value.psnr < $1.value.psnr }
    guard let best else { return }
    state.units[best.key] = best.value.bare
    state.exhibits[unit.model]?[best.key] = nil
  }

  /// Writes the file, unless it is as it should be already.
  /// - Throws: `.cannotCreate` or `.cannotWrite`.
  public func save() throws(StyleModelError) {
    // The lock is held while the file is written, so that two saves cannot overtake each other.
    try state.withLock { (state) throws(StyleModelError) in
      guard !state.isSaved else { return }
      let start = clock()
      if FileStamp(path) != state.stamp { takeOver(&state) }
      try replaceFile(path, with: Array(text(of: state).utf8))
      let end = clock()
      state.isSaved = true
      state.stamp = FileStamp(path)
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
