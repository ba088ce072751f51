import Glibc
import Testing

@testable import StyleModelKit

@Suite struct StepSearchTests {
  private static let search = StepSearch(
    start: 0, slope: -6, tolerance: 0.02, resolution: 0.004, range: -30...30)

  /// A margin, the number at which it becomes negative, and how near the search has to come.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let border: Double
    let margin: @Sendable (Double) -> Double

    static let all = [
      Case(testDescription: "falls as expected", border: 2.5) { 6 * (2.5 - $0) },
      Case(testDescription: "falls more slowly", border: -7) { 1.5 * (-7 - $0) },
      Case(testDescription: "falls faster", border: 11) { 40 * (11 - $0) },
      Case(testDescription: "is curved", border: -3) { $0 < -3 ? pow(-3 - $0, 1.5) : -pow($0 + 3, 1.5) },
      Case(testDescription: "falls in steps", border: 4) { 5 * (4 - $0.rounded(.down)) - 0.5 },
    ]
  }

  @Test(arguments: Case.all) func findsTheLastNumberThatHolds(_ item: Case) throws {
    var tried: [Double] = []
    let found = try #require(
      Self.search.run { number in
        tried.append(number)
        return item.margin(number)
      })
    #expect(item.margin(found) >= 0)
    #expect(tried.contains(found))
    #expect(tried.count <= 16)
    // Near the border by the number or by the margin.
    #expect(item.border - found < 0.01 || item.margin(found) <= 0.02, "found \(found) after \(tried)")
  }

  @Test func aNumberThatHoldsAboveOneThatFailsIsTaken() throws {
    // It fails in a hole below the border too.
    let margin = { (number: Double) in (0.4...0.6).contains(number) ? -1.0 : 6 * (2 - number) }
    var search = Self.search
    search.start = 0.5
    let found = try #require(search.run(margin))
    #expect(margin(found) >= 0)
    search.start = 1
    #expect(try #require(search.run(margin)) > 1.99)
  }

  @Test func whatAlwaysHoldsEndsAtTheTop() {
    #expect(Self.search.run { _ in 3 } == 30)
  }

  @Test func whatNeverHoldsHasNoAnswer() {
    var tried: [Double] = []
    let found = Self.search.run { number in
      tried.append(number)
      return -2 - exp2(number)
    }
    #expect(found == nil)
    #expect(tried.allSatisfy { (-30...30).contains($0) })
  }

  @Test func anInfiniteMarginIsOneThatHolds() throws {
    let found = try #require(Self.search.run { $0 < 3 ? .infinity : -1 })
    #expect((2..<3).contains(found))
  }
}
