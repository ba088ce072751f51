import Imaging
import ModelGraph
import Testing

@testable import CommandLine

@Suite struct ValueReaderTests {
  @Test func sizes() {
    let read = ValueReader<PictureSize>.size.read
    #expect(read("640x960") == PictureSize(width: 640, height: 960))
    for wrong in ["640", "640X960", "x", "0x5", "5x0", "-1x5", "5x65536", "1x2x3", "5x", "5 x5", ""] {
      #expect(read(wrong) == nil, "\(wrong)")
    }
  }

  @Test func channels() {
    let read = ValueReader<[Double]>.channels.read
    #expect(read("0.5") == [0.5])
    #expect(read("-1,2.5,1e-3") == [-1, 2.5, 0.001])
    for wrong in ["", "1,2", "1,2,3,4", "1,,3", "1,x,3", "nan", "1,inf,3"] {
      #expect(read(wrong) == nil, "\(wrong)")
    }
  }

  @Test func colors() {
    let read = ValueReader<Background>.color.read
    #expect(read("white") == Background(red: 255, green: 255, blue: 255))
    #expect(read("#A0b0c1") == Background(red: 0xa0, green: 0xb0, blue: 0xc1))
    #expect(read("010203") == Background(red: 1, green: 2, blue: 3))
    for wrong in ["", "#fff", "#12345g", "+12345", "#１２３４５６"] { #expect(read(wrong) == nil, "\(wrong)") }
  }

  @Test func byteCounts() {
    let read = ValueReader.byteCount("SIZE").read
    #expect(read("800MB") == 800_000_000)
    #expect(read("1.5GB") == 1_500_000_000)
    #expect(read("2GiB") == 1 << 31)
    for wrong in ["", "800", "MB", "-1GB", "0MB", "1e30GB", "nanGB", "infMB", "8 0MB", "1TB"] {
      #expect(read(wrong) == nil, "\(wrong)")
    }
  }

  @Test func numbers() {
    let psnr = ValueReader.number("dB", in: -.infinity ... .infinity, wish: "")
    #expect(psnr.read("45.5") == 45.5)
    #expect(psnr.read("inf") == .infinity)
    #expect(psnr.read("nan") == nil)
    #expect(psnr.read("45dB") == nil)
    #expect(ValueReader.integer("N", in: 1 ... .max).read("9223372036854775808") == nil)
  }
}
