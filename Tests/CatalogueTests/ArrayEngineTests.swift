import Diagnostics
import Testing

@testable import Catalogue

@Suite struct ArrayEngineTests {
  private func shard(_ variables: [String: String], count: Int? = nil) throws(StyleModelError) -> String {
    try ArrayEngine.shard(environment: { variables[$0] }, count: count).description
  }

  @Test(
    arguments: [
      // Slurm: arrays begin anywhere and have steps.
      (["SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_COUNT": "6"], nil, "1/6"),
      (
        [
          "SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_COUNT": "6",
          "SLURM_ARRAY_TASK_STEP": "1",
        ], nil, "6/6"
      ),
      (["SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "6"], nil, "1/6"),
      (
        [
          "SLURM_ARRAY_TASK_ID": "30", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_COUNT": "4",
          "SLURM_ARRAY_TASK_STEP": "10",
        ], nil, "3/4"
      ),
      // The whole array, counted by the plan as well.
      (["SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "6"], 6, "1/6"),
      // Two tasks of it run again: 'sbatch --array=2,5'.
      (["SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "2", "SLURM_ARRAY_TASK_COUNT": "2"], 6, "3/6"),
      (["SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_MIN": "2", "SLURM_ARRAY_TASK_COUNT": "2"], 6, "6/6"),
      (["JOB_COMPLETION_INDEX": "0"], 8, "1/8"),
      (["JOB_COMPLETION_INDEX": "7"], 8, "8/8"),
      (["AWS_BATCH_JOB_ARRAY_INDEX": "3"], 8, "4/8"),
      (["AWS_BATCH_JOB_ARRAY_INDEX": "3", "AWS_BATCH_JOB_ARRAY_SIZE": "5"], nil, "4/5"),
      (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4"], nil, "1/4"),
      (["CI_NODE_INDEX": "4", "CI_NODE_TOTAL": "4"], nil, "4/4"),
      // Two engines that say the same, and one that has not said which.
      (["JOB_COMPLETION_INDEX": "1", "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "4"], 4, "2/4"),
      (["JOB_COMPLETION_INDEX": "2", "CI_NODE_TOTAL": "1"], 4, "3/4"),
    ] as [([String: String], Int?, String)])
  func each(variables: [String: String], count: Int?, expected: String) throws {
    #expect(try shard(variables, count: count) == expected)
  }

  @Test(
    arguments: [
      ([:], nil, "--shard auto finds no engine"),
      (["JOB_COMPLETION_INDEX": "0"], nil, "does not say how many shards there are; give the number"),
      (["JOB_COMPLETION_INDEX": "8"], 8, "Kubernetes's numbers are not those of 8 shards"),
      (["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "4"], nil, "(CI_NODE_INDEX=0, CI_NODE_TOTAL=4)"),
      (["CI_NODE_INDEX": "one", "CI_NODE_TOTAL": "4"], nil, "CI_NODE_INDEX is 'one', not a whole number"),
      // 'sbatch --array=2,5' without the plan's own count.
      (
        ["SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_MIN": "2", "SLURM_ARRAY_TASK_COUNT": "2"], nil, "even"
      ),
      (
        [
          "SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_COUNT": "3",
          "SLURM_ARRAY_TASK_STEP": "2",
        ], nil, "SLURM_ARRAY_TASK_STEP=2"
      ),
      (
        ["SLURM_ARRAY_TASK_ID": "-9223372036854775808", "SLURM_ARRAY_TASK_MIN": "1"], 3,
        "SLURM_ARRAY_TASK_MIN=1"
      ),
      (
        ["JOB_COMPLETION_INDEX": "0", "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "4"], 4,
        "Kubernetes (JOB_COMPLETION_INDEX) asks for shard 1/4, but GitLab CI (CI_NODE_INDEX) for 2/4"
      ),
    ] as [([String: String], Int?, String)])
  func refusals(variables: [String: String], count: Int?, message: String) {
    let error = #expect(throws: StyleModelError.self) { try shard(variables, count: count) }
    #expect(error?.kind == .usage && error?.message.contains(message) == true, "\(error?.message ?? "")")
  }
}
