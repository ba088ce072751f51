import Diagnostics
import Evaluation
import Files
import TestSupport
import Testing

@testable import Catalogue

/// A plan of made-up models of several costs.
func samplePlan(
  models: Int = 2, schemes: Int = 2, pictures: Int = 3, path: String = "styles", measuring: [String] = [],
  judging: [String] = []
) throws -> CataloguePlan {
  try CataloguePlan(
    command: .sweep, words: ["stylemodel", "sweep"], measuring: measuring, judging: judging,
    models: (0..<models).map {
      .init(
        path: "\(path)/m\($0).pth", name: "m\($0).pth", byteCount: 1000 + $0, sha256: "aa\($0)",
        costPerPixel: 1000 * ($0 % 3 + 1))
    },
    schemes: (0..<schemes).map { "int\(8 - $0 % 7)" + ($0 < 7 ? "" : "-\($0)") },
    pictures: (0..<pictures).map { .init(name: "p\($0).png", sha256: "bb\($0)", width: 64 + $0, height: 48) })
}

/// What a unit would give, made up so that every unit differs.
func sampleOutcome(_ unit: PlannedUnit, in plan: CataloguePlan) throws -> UnitOutcome {
  let index = Double(plan.index(of: unit))
  let document: JSONValue = [
    "result": [
      "name": .string(plan.pictures[unit.picture].name), "size": "64x48", "sha256": "cc",
      "psnr_db": .number(40 - index / 7), "identical": false,
      "mean_squared_error": .number(1.0 / 3 + index), "ssim": .number(1 - index / 1000), "ssim_window": 11,
      "temporal": .null, "seconds": .number(0.1 + index), "reference_seconds": .number(0.2),
    ],
    "checks": [
      "input_is_flat": false, "non_finite": 0, "saturated": .number(0.125), "deviation": .number(3.5),
      "ordered_psnr_db": .number(30), "swapped_psnr_db": .number(20),
    ],
  ]
  return try UnitOutcome(JSONPlace(document, remedy: ""))
}

func sampleHead(_ unit: PlannedUnit, in plan: CataloguePlan) -> ReportHead {
  let model = plan.models[unit.model]
  return ReportHead(
    candidate: .init(
      name: model.name + "." + plan.schemes[unit.scheme], storage: plan.schemes[unit.scheme], byteCount: 500,
      sha256: "dd"),
    reference: .init(name: model.name, storage: "fp32", byteCount: 1000, sha256: "ee"),
    sizes: [.init(name: "all", byteCount: 500)], sourceByteCount: 1000, notes: ["a note"])
}

/// The part file of a shard with some of its units done; all unless told.
func samplePart(
  _ folder: TemporaryFolder, _ plan: CataloguePlan, _ shard: String, units: Range<Int>? = nil,
  tool: String = "stylemodel 1"
) throws -> PartFile {
  let shard = try #require(Shard(shard))
  let part = PartFile(folder: folder.path, plan: plan, shard: shard, tool: tool, clock: { 0 })
  for index in units ?? plan.units(of: shard) {
    let unit = plan.unit(at: index)
    part.add(sampleHead(unit, in: plan), model: unit.model, scheme: unit.scheme)
    try part.add(try sampleOutcome(unit, in: plan), at: index)
  }
  try part.save()
  return part
}
