import Testing

@testable import ModelGraph

@Suite struct PixelContractTests {
  private static let square = PixelContract.Sizes.listed([PictureSize(width: 64, height: 64)])
  private static let two = PixelContract.Sizes.listed([
    PictureSize(width: 64, height: 64), PictureSize(width: 128, height: 96),
  ])
  private static let bounded = PixelContract.Sizes.range(
    width: ClosedSizeRange(lower: 64, upper: 128), height: ClosedSizeRange(lower: 64, upper: 96))
  private static let open = PixelContract.Sizes.range(
    width: ClosedSizeRange(lower: 64, upper: nil), height: ClosedSizeRange(lower: 32, upper: nil))

  @Test func sizesIncludeFewerSizes() {
    let all = [PixelContract.Sizes.any, Self.open, Self.bounded, Self.two, Self.square]
    for (index, sizes) in all.enumerated() {
      for (other, fewer) in all.enumerated() {
        #expect(sizes.includes(fewer) == (other >= index), "\(sizes) and \(fewer)")
      }
    }
  }

  @Test func aRangeBeyondAnotherIsNotIncluded() {
    let wide = PixelContract.Sizes.range(
      width: ClosedSizeRange(lower: 64, upper: 256), height: ClosedSizeRange(lower: 64, upper: 96))
    #expect(!Self.bounded.includes(wide) && wide.includes(Self.bounded))
    #expect(!Self.bounded.includes(.listed([PictureSize(width: 32, height: 64)])))
  }
}
