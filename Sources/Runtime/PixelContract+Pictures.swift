import Imaging
import ModelGraph

extension PixelContract {
  /// For each of the network's channels the picture's: red is 0.
  private var pictureChannels: [Int] { channelOrder == .rgb ? [0, 1, 2] : [2, 1, 0] }

  /// Writes a picture as the network wants it, three channels a pixel.
  func write(_ picture: Picture, to input: UnsafeMutablePointer<Float>) {
    let channels = pictureChannels
    picture.samples.withUnsafeBufferPointer { samples in
      for channel in 0..<3 {
        let scale = inputScale[channel]
        let bias = inputBias[channel]
        let from = channels[channel]
        for pixel in 0..<picture.width * picture.height {
          input[3 * pixel + channel] = samples[3 * pixel + from] * scale + bias
        }
      }
    }
  }

  /// Reads the picture out of the network's output, three channels a pixel; what lies beyond `size` is left out.
  func read(_ output: UnsafeMutablePointer<Float>, _ layout: MapLayout, croppedTo size: PictureSize)
    -> Picture
  {
    let channels = pictureChannels
    let samples = [Float](unsafeUninitializedCapacity: size.width * size.height * 3) { samples, count in
      for row in 0..<size.height {
        let source = output + row * layout.rowStride
        let target = row * size.width * 3
        for channel in 0..<3 {
          let scale = outputScale[channel]
          let bias = outputBias[channel]
          let to = channels[channel]
          for column in 0..<size.width {
            samples.initializeElement(
              at: target + 3 * column + to, to: source[3 * column + channel] * scale + bias)
          }
        }
      }
      count = size.width * size.height * 3
    }
    return Picture(width: size.width, height: size.height, samples: samples)
  }
}
