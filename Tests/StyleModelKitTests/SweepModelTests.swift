import TestSupport
import Testing

@testable import StyleModelKit

@Suite struct SweepModelTests {
  /// A point is what converting and evaluating by hand gives.
  @Test func pointsAreThoseOfTheCommands() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic, as: mosaic)
    let images = folder.makeFolder("pictures")
    try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/chelsea.png")
    let schemes = ["int8", "int5-affine"]
    var progress: [Double] = []
    let curve = try sweep(
      try loadModel(folder.path(mosaic)),
      options: SweepOptions(
        schemes: schemes.map { try QuantizationOptions(named: $0) }, imagesFolder: images),
      progress: { progress.append($0) })
    #expect(curve.source.name == mosaic && curve.source.storage == "fp32")
    #expect(curve.points.map(\.candidate.storage) == schemes)
    #expect(progress.last == 1 && progress == progress.sorted())
    for (scheme, point) in zip(schemes, curve.points) {
      let (path, conversion) = try folder.convert(mosaic, to: "\(scheme).stylemodel", scheme)
      let report = try evaluate(try loadModel(path), options: EvaluationOptions(imagesFolder: images))
      #expect(point.candidate.byteCount == conversion.bytes.count)
      #expect(point.candidate.sha256 == report.candidate.sha256)
      #expect(point.qualities.map(\.quality) == report.qualities.map(\.quality))
      #expect(point.shares == report.shares && point.sizes == report.sizes)
    }
  }

  @Test func aPictureThatFailsFailsInEveryPoint() throws {
    let folder = try TemporaryFolder()
    let images = folder.makeFolder("pictures")
    try folder.write("no picture".utf8, as: "pictures/broken.png")
    let curve = try sweep(
      try loadModel(fixturePath(mosaic)),
      options: SweepOptions(
        schemes: [try QuantizationOptions(named: "fp16"), try QuantizationOptions(named: "int4")],
        imagesFolder: images))
    #expect(curve.points.count == 2)
    #expect(curve.points.allSatisfy { !$0.isComplete && $0.pictures.count == 1 && $0.qualities.isEmpty })
  }

  @Test func sharesAddUpToTheFileAndNormsCountToTheirLayer() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic, as: mosaic)
    let (path, conversion) = try folder.convert(mosaic, to: "m.stylemodel")
    let shares = try loadModel(path).byteShares
    #expect(shares.reduce(0) { $0 + $1.byteCount } == conversion.bytes.count)
    let layers = conversion.graph.weightedLayers.map(\.name)
    #expect(Set(shares.filter { $0.storage != nil }.map(\.layer)) == Set(layers))
    #expect(shares.filter { $0.storage == nil }.map(\.layer) == ["header", "preamble and alignment"])
    #expect(
      shares.filter { $0.layer == layers[0] }.map(\.storage).sorted { $0 ?? "" < $1 ?? "" } == [
        "fp16", "int8",
      ])
    #expect(try loadModel(fixturePath(mosaic)).byteShares.isEmpty)
  }

  @Test func aPageCarriesPicturesAndLayers() throws {
    let folder = try TemporaryFolder()
    try folder.copy(fixture: mosaic, as: mosaic)
    let images = folder.makeFolder("pictures")
    try folder.copy(fixture: "chelsea_96x64.png", as: "pictures/chelsea.png")
    let (path, conversion) = try folder.convert(mosaic, to: "m.stylemodel")
    var options = EvaluationOptions(imagesFolder: images)
    #expect(try evaluate(try loadModel(path), options: options).pictures[0].exhibit == nil)
    options.keepsPictures = true
    options.measuresLayers = true
    let report = try evaluate(try loadModel(path), options: options)
    #expect(report.pictures[0].exhibit?.width == 96)
    #expect(report.layers.map(\.name) == conversion.graph.weightedLayers.map(\.name))
    #expect(report.layers.allSatisfy { $0.ownNoise > 0 && $0.arrivedNoise > 0 })
    // A folder of pictures has no layers, and a page without them is no error.
    options.reference = .pictures(folder: images)
    #expect(try evaluate(try loadModel(path), options: options).layers.isEmpty)
  }
}
