import Calibration
import Diagnostics
import TestSupport
import Testing

@testable import StyleModelKit

/// Searches on a network of few weights; `smallest file` and `nearest pictures` mean those on calibration pictures.
@Suite struct SearchConversionTests {
  private let source: Model

  init() throws { source = try loadModel(fixturePath(mosaic)) }

  /// Options for pictures so small that a search is quick.
  private func options(
    _ goal: SearchGoal, photosOnly: Bool = false, isEntropyCoded: Bool = true, keep: [String] = [],
    threads: Int? = nil
  ) -> SearchOptions {
    SearchOptions(
      goal: goal, photosOnly: photosOnly, isEntropyCoded: isEntropyCoded, keep: keep,
      sizes: .listed([PictureSize(width: 64, height: 64)]), threads: threads)
  }

  @Test func thePSNRIsKeptInTheSmallestFile() throws {
    let low = try convert(source, searching: options(.minPSNR(34), photosOnly: true))
    let high = try convert(source, searching: options(.minPSNR(40), photosOnly: true))
    for (goal, found) in [(34.0, low), (40, high)] {
      let worst = try #require(found.search.worst)
      // So few weights make a step's effect uneven.
      #expect((goal..<goal + 1.5).contains(worst.psnr), "\(worst)")
      #expect(found.search.calibration.allSatisfy { !$0.name.hasPrefix("ramp") })
      #expect(found.conversion.scheme == "\(Int(goal))dB")
    }
    // Six decibels are about a bit a weight.
    let weights = low.search.layers.reduce(0) { $0 + $1.count }
    let bits = Double(8 * (high.conversion.bytes.count - low.conversion.bytes.count)) / Double(weights)
    #expect((0.7...1.3).contains(bits), "\(bits)")
  }

  @Test func theFileHoldsWhatWasJudged() throws {
    let found = try convert(source, searching: options(.minPSNR(38)))
    let folder = try TemporaryFolder()
    try found.conversion.write(to: folder.path("a.stylemodel"))
    let model = try loadModel(folder.path("a.stylemodel"))
    #expect(model.provenance?.options == ["--min-psnr", "38", "--size", "64x64"])
    #expect(model.storage.hasPrefix("int"))
    let exact = try Engine(model: source)
    let stored = try Engine(model: model)
    for item in try builtInCalibrationPictures() {
      let picture = item.picture.resized(width: 64, height: 64).clamped()
      let psnr = try compare(stored.run(picture), exact.run(picture)).psnr
      let said = try #require(found.search.calibration.first { $0.name == item.name }?.psnr)
      #expect(abs(psnr - said) < 0.01, "\(item.name)")
    }
    let unseen = Set(try builtInEvaluationPictures().map(\.name))
    #expect(Set(found.search.unseen.map(\.name)) == unseen)
    #expect(unseen.isDisjoint(with: found.search.calibration.map(\.name)))
  }

  @Test func theBytesAreKeptAndUsed() throws {
    let found = try convert(source, searching: options(.maxBytes(50_000)))
    #expect((49_500...50_000).contains(found.conversion.bytes.count))
    #expect(found.conversion.scheme == "50000B")
    let payloads = try styleModelSizes(of: found.conversion.bytes).payloads
    for layer in found.search.layers {
      #expect(
        payloads.contains { $0.name == layer.name + ".weight" && $0.storedByteCount == layer.byteCount })
    }
    // Fewer bytes give worse pictures.
    let less = try convert(source, searching: options(.maxBytes(35_000)))
    #expect(try #require(less.search.worst).psnr < #require(found.search.worst).psnr - 3)
  }

  @Test(arguments: [SearchGoal.minPSNR(36), .maxBytes(40_000)])
  func theBytesDoNotDependOnTheNumberOfThreads(goal: SearchGoal) throws {
    let files = try [1, 3].map { threads in
      try convert(source, searching: options(goal, threads: threads)).conversion.bytes
    }
    #expect(files[0] == files[1])
  }

  @Test func withoutEntropyCodingThereIsNone() throws {
    let found = try convert(
      source, searching: options(.minPSNR(36), photosOnly: true, isEntropyCoded: false))
    #expect(try styleModelSizes(of: found.conversion.bytes).payloads.allSatisfy { !$0.isCoded })
    let coded = try convert(source, searching: options(.minPSNR(36), photosOnly: true))
    #expect(try styleModelSizes(of: coded.conversion.bytes).payloads.contains { $0.isCoded })
    #expect(coded.conversion.bytes.count < found.conversion.bytes.count * 9 / 10)
  }

  @Test func whatIsKeptStaysBitForBit() throws {
    let found = try convert(
      source, searching: options(.minPSNR(34), photosOnly: true, keep: ["last"]))
    let layer = try #require(found.search.layers.last)
    #expect(layer.storage == "float32")
    #expect(!layer.isRounded)
    #expect(found.search.layers.dropLast().allSatisfy { $0.isRounded })
  }

  @Test func aGoalBeyondIntegersIsMetWithFloats() throws {
    let found = try convert(source, searching: options(.minPSNR(100)))
    #expect(try #require(found.search.worst).psnr >= 100)
  }

  @Test func whatCannotBeIsRefused() throws {
    let tooSmall = #expect(throws: StyleModelError.self) {
      try convert(source, searching: options(.maxBytes(3000)))
    }
    #expect(tooSmall?.kind == .badInput)
    #expect(
      tooSmall?.message.contains(
        "does not fit 3,000 bytes: with next to nothing left of its weights it takes") == true)
    for goal in [SearchGoal.minPSNR(0), .minPSNR(101), .minPSNR(.nan), .maxBytes(0)] {
      let error = #expect(throws: StyleModelError.self) {
        try convert(source, searching: options(goal))
      }
      #expect(error?.kind == .usage)
    }
    let unknown = #expect(throws: StyleModelError.self) {
      try convert(source, searching: options(.minPSNR(30), keep: ["lost"]))
    }
    #expect(unknown?.message.contains("there is no tensor 'lost' to keep") == true)
  }

  @Test(arguments: [
    (SearchGoal.minPSNR(40), "40dB", ["--min-psnr", "40"]),
    (.minPSNR(40.125), "40.125dB", ["--min-psnr", "40.125"]),
    (.maxBytes(600_000), "600000B", ["--max-bytes", "600000"]),
  ])
  func goalsAreNamedToTheDigit(goal: SearchGoal, name: String, arguments: [String]) {
    #expect(goal.name == name)
    #expect(SearchOptions(goal: goal).arguments == arguments)
    #expect(
      SearchOptions(goal: goal, photosOnly: true, isEntropyCoded: false, keep: ["a", "first"]).arguments
        == arguments + ["--photos-only", "--fast-load", "--keep", "a,first"])
  }
}
