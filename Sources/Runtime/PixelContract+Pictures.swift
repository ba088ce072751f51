import Imaging
import ModelGraph

extension PixelContract {
  /// For each of the network's channels the picture's: red is 0.
  private var pictureChannels: [Int] { channelOrder == .rgb ? [0, 1, 2] : [2, 1, 0] }

  /// Writes a picture as the network wants it, three channels a pixel.
  func write(_ picture: Picture, to input: UnsafeMutablePointer<Float>) {
    write(picture, rows: 0..<picture.height, to: input)
  }

  /// Writes some rows of a picture as the network wants them, three channels a pixel.
  func write(_ picture: Picture, rows: Range<Int>, to input: UnsafeMutablePointer<Float>) {
    let channels = pictureChannels
    let first = rows.lowerBound * picture.width
    picture.samples.withUnsafeBufferPointer { samples in
      for channel in 0..<3 {
        let scale = inputScale[channel]
        let bias = inputBias[channel]
        let from = channels[channel]
        for pixel in 0..<picture.width * rows.count {
          input[3 * pixel + channel] = samples[3 * (first + pixel) + from] * scale + bias
        }
      }
    }
  }

  /// Reads the picture out of the network's output, three channels a pixel; what lies beyond `size` is left out.
  func read(_ output: UnsafeMutablePointer<Float>, _ layout: MapLayout, croppedTo size: PictureSize)
    -> Picture
  {
    let samples = [Float](unsafeUninitializedCapacity: size.width * size.height * 3) { samples, count in
      if let base = samples.baseAddress {
        for row in 0..<size.height {
          read(output + row * layout.rowStride, pixels: size.width, into: base + row * size.width * 3)
        }
      }
      count = size.width * size.height * 3
    }
    return Picture(width: size.width, height: size.height, samples: samples)
  }

  /// Reads neighbouring pixels of the network's output, three channels a pixel.
  func read(
    _ output: UnsafeMutablePointer<Float>, pixels: Int, into samples: UnsafeMutablePointer<Float>
  ) {
    let channels = pictureChannels
    for channel in 0..<3 {
      let scale = outputScale[channel]
      let bias = outputBias[channel]
      let to = channels[channel]
      for pixel in 0..<pixels { samples[3 * pixel + to] = output[3 * pixel + channel] * scale + bias }
    }
  }
}
