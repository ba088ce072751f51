public import Diagnostics

/// An engine that runs the same command many times and tells each run its number. The table `all` decides what
/// `--shard auto` understands, and what its help says: another engine is another row.
public struct ArrayEngine: Sendable {
  /// What it is called.
  public let name: String
  /// The variable by which it is recognised: the number of the run.
  public let index: String
  /// The variables that say where numbers begin, and how far they lie apart; where it has none, see `start`.
  let first: String?
  let step: String?
  /// The number of the first run, where no variable says it.
  let start: Int
  /// The variable that says how many runs there are; nil where only the plan knows.
  public let count: String?

  /// Every engine that is understood.
  public static let all = [
    ArrayEngine(
      name: "Slurm", index: "SLURM_ARRAY_TASK_ID", first: "SLURM_ARRAY_TASK_MIN",
      step: "SLURM_ARRAY_TASK_STEP", start: 0, count: "SLURM_ARRAY_TASK_COUNT"),
    ArrayEngine(
      name: "Kubernetes", index: "JOB_COMPLETION_INDEX", first: nil, step: nil, start: 0, count: nil),
    ArrayEngine(
      name: "AWS Batch", index: "AWS_BATCH_JOB_ARRAY_INDEX", first: nil, step: nil, start: 0,
      count: "AWS_BATCH_JOB_ARRAY_SIZE"),
    ArrayEngine(
      name: "GitLab CI", index: "CI_NODE_INDEX", first: nil, step: nil, start: 1, count: "CI_NODE_TOTAL"),
  ]

  /// The shard that the environment asks for.
  /// - Parameters:
  ///   - environment: looks a variable up.
  ///   - count: how many shards there are, where the user says so: it comes before what the engine says.
  /// - Throws: `.usage` when there is no engine, several that differ, or numbers that do not fit together.
  public static func shard(
    environment: (String) -> String?, count: Int?
  ) throws(StyleModelError) -> Shard {
    var found: (engine: ArrayEngine, shard: Shard)?
    for engine in all where environment(engine.index) != nil {
      let shard = try engine.shard(environment, count)
      if let other = found, other.shard != shard {
        throw StyleModelError(
          .usage,
          "\(other.engine.name) (\(other.engine.index)) asks for shard \(other.shard), but \(engine.name) "
            + "(\(engine.index)) for \(shard)",
          remedy: "say which is meant: --shard K/N")
      }
      found = (engine, shard)
    }
    guard let found else {
      throw StyleModelError(
        .usage, "--shard auto finds no engine: \(all.map(\.index).joined(separator: ", ")) are not set",
        remedy: "run it as a task of a job array, or say which shard: --shard K/N")
    }
    return found.shard
  }

  private func shard(
    _ environment: (String) -> String?, _ wantedCount: Int?
  ) throws(StyleModelError) -> Shard {
    func number(_ name: String?) throws(StyleModelError) -> Int? {
      guard let name, let text = environment(name) else { return nil }
      guard let number = Int(text) else {
        throw StyleModelError(.usage, "\(name) is '\(printable(text, limit: 80))', not a whole number")
      }
      return number
    }
    let place = try number(index) ?? 0
    let told = try number(self.count)
    guard let count = wantedCount ?? told else {
      throw StyleModelError(
        .usage, "\(name) sets \(index) but does not say how many shards there are",
        remedy: "give the number of the job's completions: --shards N")
    }
    // Where the user says another count than the engine, only some tasks of the array run (again): their numbers are
    // those of the whole array then, which begins at the usual place.
    let isPart = told.map { $0 != count } ?? false
    let step = isPart ? 1 : try number(self.step) ?? 1
    let (distance, overflow) = place.subtractingReportingOverflow(
      isPart ? start : try number(self.first) ?? start)
    guard !overflow, step > 0, distance % step == 0, let shard = Shard(index: distance / step, of: count)
    else {
      let variables = [index, first, step == 1 ? nil : self.step, self.count].compactMap { $0 }
        .compactMap { name in environment(name).map { "\(name)=\($0)" } }
      throw StyleModelError(
        .usage,
        "\(name)'s numbers are not those of \(counted(count, "shard")) in even steps (\(variables.joined(separator: ", ")))",
        remedy: "number the tasks evenly, as in --array=0-5, or say which shard: --shard K/N")
    }
    return shard
  }
}
