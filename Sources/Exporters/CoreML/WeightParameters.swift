import ProtobufSupport
import Tensors

/// Numbers as a `WeightParams` holds them.
struct WeightParameters {
  /// The ways that Core ML knows.
  private enum Form {
    case floats([Float])
    /// Halves, little-endian.
    case halves([UInt8])
    /// Unsigned integers, with one scale and bias, or one of each for each output channel.
    case words([UInt8], bits: Int, scales: [Float], biases: [Float])
    /// Places in a table of 2^bits numbers.
    case places([UInt8], bits: Int, table: [Float])
  }

  private let form: Form

  /// The most bits that a word may have.
  private static let greatestWidth = 8

  /// The lowest version that knows the form.
  var version: SpecificationVersion {
    switch form {
    case .floats: .iOS11
    case .halves: .iOS11_2
    case .words, .places: .iOS12
    }
  }

  /// Whether the numbers are halves, which may not stand beside floats in one layer.
  var isHalves: Bool { if case .halves = form { true } else { false } }

  /// Numbers in single precision.
  init(floats: [Float]) { form = .floats(floats) }

  /// A tensor in its own encoding, where Core ML has that: scales run along the output channels there, or there is
  /// one, and words of 8 bits hold the integers; a palette is one for the whole tensor. All else is written in single precision, as exactly as it was.
  /// - Parameter channelAxis: the axis of the output channels, if scales may run along it.
  init(_ tensor: StoredTensor, channelAxis: Int?) {
    switch tensor.encoding {
    case .plain(.float16): form = .halves(tensor.bytes)
    case .affine(let affine)
    where affine.bits <= Self.greatestWidth && (affine.axis == nil || affine.axis == channelAxis):
      let integers = tensor.quantizedIntegers() ?? []
      // Signed integers count from the least one there is; the bias takes that back.
      let shift = affine.isSigned ? 1 << (affine.bits - 1) : 0
      let biases = affine.scales.indices.map { index in
        (affine.offsets.isEmpty ? 0 : affine.offsets[index]) - Float(shift) * affine.scales[index]
      }
      form = .words(
        packedFromTheTop(integers.map { $0 + shift }, bits: affine.bits), bits: affine.bits,
        scales: affine.scales, biases: biases)
    case .palette(let palette) where palette.tables.count == 1:
      form = .places(
        packedFromTheTop((tensor.palettePlaces() ?? []).map(Int.init), bits: palette.bits),
        bits: palette.bits,
        table: palette.tables[0])
    case .plain, .affine, .palette: form = .floats(tensor.floats())
    }
  }

  /// Several tensors of one layer: halves only where all of them are, since a layer may not mix them with floats.
  static func together(_ tensors: [StoredTensor]) -> [WeightParameters] {
    let all = tensors.map { WeightParameters($0, channelAxis: nil) }
    return all.allSatisfy(\.isHalves) ? all : tensors.map { WeightParameters(floats: $0.floats()) }
  }

  /// Writes the fields of the message.
  func write(to writer: inout ProtobufWriter) {
    switch form {
    case .floats(let floats): writer.floats(1, floats)
    case .halves(let bytes): writer.block(2, bytes)
    case .words(let bytes, let bits, let scales, let biases):
      writer.block(30, bytes)
      writer.message(40) { quantization in
        quantization.number(1, bits)
        quantization.message(101) { linear in
          linear.floats(1, scales)
          linear.floats(2, biases)
        }
      }
    case .places(let bytes, let bits, let table):
      writer.block(30, bytes)
      writer.message(40) { quantization in
        quantization.number(1, bits)
        quantization.message(102) { $0.floats(1, table) }
      }
    }
  }
}

/// Packs unsigned integers into bytes from the most significant bit down; `[1, 2, 3, 4]` of 4 bits are `12 34`.
func packedFromTheTop(_ integers: [Int], bits: Int) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity((integers.count * bits + 7) / 8)
  var window: UInt32 = 0
  var filled = 0
  for integer in integers {
    window = window << UInt32(bits) | UInt32(truncatingIfNeeded: integer) & (1 << UInt32(bits) - 1)
    filled += bits
    while filled >= 8 {
      filled -= 8
      bytes.append(UInt8(truncatingIfNeeded: window >> UInt32(filled)))
    }
  }
  if filled > 0 { bytes.append(UInt8(truncatingIfNeeded: window << UInt32(8 - filled))) }
  return bytes
}
