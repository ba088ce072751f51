import Diagnostics
import Imaging
import Testing

@testable import Evaluation

@Suite struct EvaluationRunTests {
  private func subjects(_ names: String...) -> [EvaluationSubject] {
    names.map { name in
      EvaluationSubject(name: name) { () throws(StyleModelError) -> Picture in
        if name.hasPrefix("unreadable") { throw StyleModelError(.cannotOpen, file: name, "cannot be opened") }
        return samplePicture(width: name.count + 12, height: 12)
      }
    }
  }

  private func results(
    _ names: String..., rounded: Bool = false,
    candidate: (Picture, String) throws(StyleModelError) -> Picture
  ) -> [PictureResult] {
    evaluateAll(
      names.flatMap { subjects($0) }, candidate: candidate, options: ComparisonOptions(rounded: rounded))
  }

  @Test func bothSeeTheSamePixelsAndTheDifferenceIsTakenInFloat() throws {
    let found = results("a", "bcd") { picture, _ throws(StyleModelError) in
      Picture(width: picture.width, height: picture.height, samples: picture.samples.map { $0 + 0.25 })
    }
    #expect(found.map(\.size) == ["13x12", "15x12"])
    for result in found { #expect(try #require(result.figures).quality.meanSquaredError == 0.0625) }
    let rounded = results("a", rounded: true) { picture, _ throws(StyleModelError) in
      Picture(width: picture.width, height: picture.height, samples: picture.samples.map { $0 + 0.25 })
    }
    #expect(rounded[0].figures?.quality.identical == true)
  }

  @Test func aPictureThatFailsDoesNotStopTheOthers() {
    let found = results("first", "unreadable", "overflows", "refused", "last") {
      picture, name throws(StyleModelError) in
      if name == "refused" { throw StyleModelError(.badInput, "is too small") }
      var result = picture
      if name == "overflows" { result.samples[5] = .infinity }
      return result
    }
    #expect(found.map(\.name) == ["first", "unreadable", "overflows", "refused", "last"])
    let kinds = found.map { result -> StyleModelError.Kind? in
      if case .failure(let error) = result.outcome { error.kind } else { nil }
    }
    #expect(kinds == [nil, .cannotOpen, .gateFailed, .badInput, nil])
    #expect(found.map { $0.size.isEmpty } == [false, true, false, false, false])
    #expect(!sampleReport(found).passed)
  }

  @Test func swappedChannelsAreSuspected() {
    let report = sampleReport(
      results("one", "two") { picture, name throws(StyleModelError) in
        name == "two" ? picture.withRedAndBlueSwapped : picture
      })
    #expect(
      report.notes == ["red and blue may be swapped: swapping them brings the pictures much closer (two)"])
  }

  @Test func saturatedAndFlatOutputsAreNoted() {
    func plain(_ level: Float, like picture: Picture) -> Picture {
      Picture(
        width: picture.width, height: picture.height, samples: picture.samples.map { _ in level })
    }
    let report = sampleReport(
      results("white", "grey", "fine") { picture, name throws(StyleModelError) in
        switch name {
        case "white": plain(300, like: picture)
        case "grey": plain(128, like: picture)
        default: picture
        }
      })
    #expect(
      report.notes == [
        "more than 90 % of the output is at 0 or 255 (white); the output scale may be wrong",
        "the output is nearly flat (white, grey)",
      ])
  }

  /// A flat picture that both networks agree on is no reason to worry, though the set is weak.
  @Test func agreementOnAFlatPictureIsNotNoted() {
    let flat = EvaluationSubject(name: "flat") { () throws(StyleModelError) -> Picture in flatPicture() }
    let found = evaluateAll([flat], candidate: { picture, _ throws(StyleModelError) in picture })
    #expect(sampleReport(found).notes == ["the set is weak: 0 pictures with anything in it"])
    let apart = evaluateAll(
      [flat],
      candidate: { picture, _ throws(StyleModelError) in
        Picture(width: picture.width, height: picture.height, samples: picture.samples.map { $0 + 1 })
      })
    #expect(sampleReport(apart).notes == ["the set is weak: 0 pictures with anything in it"])
  }
}
