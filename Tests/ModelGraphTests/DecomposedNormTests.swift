import ModelGraph
import Testing

@Suite struct DecomposedNormTests {
  typealias Norm = DecomposedNorm

  private let x = ValueID(7)
  private var picture: Norm.Term { .picture(.value(x)) }
  private func mean(_ term: Norm.Term?) throws -> Norm.Term {
    guard case .picture(let picture)? = term else { throw Missing() }
    return .statistic(try #require(Norm.mean(picture)))
  }
  private func some(_ term: Norm.Term?) throws -> Norm.Term {
    guard let term else { throw Missing() }
    return term
  }
  private struct Missing: Error {}
  private func root(_ term: Norm.Term?) throws -> Norm.Term {
    guard case .statistic(let statistic)? = term else { throw Missing() }
    return .statistic(try #require(Norm.squareRoot(statistic)))
  }

  private func centred() throws -> Norm.Term { try some(Norm.difference(picture, try mean(picture))) }
  private func deviation() throws -> Norm.Term {
    let centred = try centred()
    return try root(Norm.sum(try mean(Norm.product(centred, centred)), .numbers([1e-3])))
  }
  private let whole = Norm.Term.norm(.init(value: ValueID(7), epsilon: 1e-3, gamma: nil), beta: nil)

  /// `(x - mean) / sqrt(mean((x - mean)²) + epsilon)`
  @Test func dividedByTheDeviation() throws {
    #expect(Norm.quotient(try centred(), try deviation()) == whole)
  }

  /// The variance as `mean(x²) - mean²`, and powers in place of squares and roots.
  @Test func spelledInOtherWays() throws {
    let squares = try some(Norm.power(picture, 2))
    let mean = try mean(picture)
    let variance = try #require(
      Norm.difference(try self.mean(squares), try some(Norm.product(mean, mean))))
    let sum = try some(Norm.sum(.numbers([1e-3]), variance))
    let inverse = try some(Norm.power(sum, -0.5))
    #expect(Norm.product(inverse, try centred()) == whole)
    #expect(Norm.quotient(.numbers([1]), try some(Norm.power(sum, 0.5))) == inverse)
  }

  /// `x * (gamma * r) + (beta - mean * (gamma * r))`, as TensorFlow writes it.
  @Test func asScaleAndShift() throws {
    let inverse = try some(Norm.quotient(.numbers([1]), try deviation()))
    let scale = try some(Norm.product(inverse, .numbers([2, 3])))
    let shift = try #require(
      Norm.difference(.numbers([4, 5]), try some(Norm.product(try mean(picture), scale))))
    let result = Norm.sum(try some(Norm.product(picture, scale)), shift)
    #expect(result == .norm(.init(value: x, epsilon: 1e-3, gamma: [2, 3]), beta: [4, 5]))
  }

  /// A sum with something times -1 in place of a difference, and an operation that adds an epsilon of its own.
  @Test func withNegationsAndTwoEpsilons() throws {
    let mean = try mean(picture)
    let squares = try self.mean(Norm.power(picture, 2))
    let negated = try some(Norm.product(try some(Norm.product(mean, mean)), .numbers([-1])))
    #expect(Norm.product(negated, .numbers([-1])) == Norm.product(mean, mean))
    let variance = try some(Norm.sum(negated, squares))
    #expect(variance == Norm.sum(squares, negated))
    let sum = try some(Norm.sum(try some(Norm.sum(variance, .numbers([1e-3]))), .numbers([1e-6])))
    let scale = try some(Norm.power(sum, -0.5))
    let shift = try some(
      Norm.sum(.numbers([4]), try some(Norm.product(try some(Norm.product(mean, scale)), .numbers([-1])))))
    let expected = Norm.Term.norm(.init(value: x, epsilon: 1e-3 + 1e-6), beta: [4])
    #expect(Norm.sum(try some(Norm.product(picture, scale)), shift) == expected)
    // What is negated twice over is none.
    #expect(Norm.sum(negated, negated) == nil)
  }

  @Test func whatIsNoNormIsNotTakenForOne() throws {
    let other = Norm.Term.picture(.value(ValueID(8)))
    // The statistics of another picture.
    #expect(Norm.difference(other, try mean(picture)) == nil)
    #expect(Norm.quotient(other, try deviation()) == nil)
    #expect(Norm.product(picture, other) == nil)
    // No epsilon, one below zero, or one after the root.
    let centred = try centred()
    let variance = try mean(Norm.product(centred, centred))
    #expect(Norm.sum(variance, .numbers([-1])) == nil)
    #expect(Norm.sum(try root(variance), .numbers([1e-3])) == nil)
    #expect(Norm.sum(variance, .numbers([1, 2])) == nil)
    // A mean of what is no statistic.
    guard case .picture(let term) = centred else { throw Missing() }
    #expect(Norm.mean(term) == nil)
    // A gamma twice.
    let inverse = try #require(
      Norm.product(try some(Norm.quotient(.numbers([1]), try deviation())), .numbers([2])))
    #expect(Norm.product(inverse, .numbers([2])) == nil)
  }
}
