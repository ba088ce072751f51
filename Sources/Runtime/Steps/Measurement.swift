import CKernels

/// Mean and spread of every channel of a map, tile by tile; merged in the tiles' order, so that the result does
/// not depend on who measured which.
enum Measurement {
  /// The memory that the sums of one tile need, in bytes.
  static func scratchBytes(channels: Int) -> Int { channels * MemoryLayout<ck_moments>.stride }

  /// Merges the spreads of tiles of these many pixels into the first one's place.
  static func merge(_ spreads: UnsafeMutablePointer<ck_spread>, tilePixels: [Int], channels: Int) {
    guard var pixels = tilePixels.first else { return }
    for tile in tilePixels.indices.dropFirst() {
      ck_merge_spread(spreads, pixels, spreads + tile * channels, tilePixels[tile], channels)
      pixels += tilePixels[tile]
    }
  }
}
