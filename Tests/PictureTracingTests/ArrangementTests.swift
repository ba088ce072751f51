import Testing

@testable import PictureTracing

@Suite struct ArrangementTests {
  private let picture = Arrangement.Picture(channels: 8, height: 6, width: 10)
  private var whole: Arrangement { Arrangement(picture: picture) }

  @Test func reshapingThereAndBackIsThePicture() throws {
    let flat = try #require(whole.reshaped([1, 8, 1, 60]))
    #expect(flat.shape == [1, 8, 1, 60])
    #expect(flat.channelAxis(picture) == 1)
    #expect(flat.areSpace([3], picture) && flat.areSpace([2, 3], picture))
    #expect(!flat.areSpace([1], picture) && !flat.areSpace([2], picture))
    #expect(!flat.isPicture(picture))
    #expect(try #require(flat.reshaped([1, 8, 6, 10])).isPicture(picture))
  }

  @Test func anAxisThatCutsARunAnewIsRefused() {
    #expect(whole.reshaped([1, 8, 60]) != nil)
    #expect(whole.reshaped([7, 480]) == nil)
    #expect(whole.reshaped([1, 8, 6, 9]) == nil)
    #expect(whole.reshaped([0]) == nil)
    // Rows of another length walk on over the same numbers, which is no picture any more.
    #expect(whole.reshaped([1, 8, 10, 6])?.isPicture(picture) == false)
  }

  /// As exporters without an enlargement wrote it: columns beside themselves, then rows.
  @Test func repeatedRowsAndColumnsAreAnEnlargement() throws {
    let columns = try #require(whole.reshaped([480, 1])).repeated(2, axis: 1)
    let rows = try #require(columns.reshaped([48, 20])).repeated(3, axis: 1)
    let result = try #require(rows.reshaped([1, 8, 18, 20]))
    #expect(try #require(result.enlargement(picture)) == (3, 2))
  }

  @Test func expandedAxesAreAnEnlargement() throws {
    let split = try #require(whole.reshaped([1, 8, 6, 1, 10, 1]))
    let result = try #require(split.expanded(to: [1, 8, 6, 2, 10, 2])?.reshaped([1, 8, 12, 20]))
    #expect(try #require(result.enlargement(picture)) == (2, 2))
    // Whole rows after one another are tiles, not an enlargement.
    let tiled = whole.repeated(2, axis: 2).repeated(2, axis: 3)
    #expect(tiled.shape == [1, 8, 12, 20])
    #expect(tiled.enlargement(picture) == nil)
  }

  @Test(arguments: [true, false]) func interleavedChannelsAreADepthToSpace(inner: Bool) throws {
    let split = inner ? [1, 2, 2, 2, 6, 10] : [1, 2, 2, 2, 6, 10]
    let order = inner ? [0, 1, 4, 2, 5, 3] : [0, 3, 4, 1, 5, 2]
    let result = try #require(whole.reshaped(split)?.transposed(order)?.reshaped([1, 2, 12, 20]))
    let found = try #require(result.depthToSpace(picture))
    #expect(found == (2, inner))
    #expect(result.enlargement(picture) == nil)
  }

  @Test func channelsAtTheEndAreFoundThere() throws {
    let last = try #require(whole.transposed([0, 2, 3, 1]))
    #expect(last.shape == [1, 6, 10, 8])
    #expect(last.channelAxis(picture) == 3)
    #expect(last.areSpace([1, 2], picture))
    #expect(whole.transposed([0, 1, 2]) == nil)
    #expect(try #require(last.transposed([0, 3, 1, 2])).isPicture(picture))
  }
}
