import Diagnostics
import Testing

@testable import Evaluation

@Suite struct TextReportTests {
  @Test func saysAllOfIt() throws {
    let report = sampleReport(
      [
        try sampleResult("astronaut", meanSquaredError: 1, ssim: 0.998765),
        try sampleResult("gradient", meanSquaredError: 100, ssim: 0.9), sampleFailure("broken.png"),
      ], gates: Gates(maxBytes: 1000), notes: ["the prefix \"module.\" of all names was stripped"])
    #expect(
      report.text == """
        mosaic.int8.stylemodel (int8) against mosaic_4000.pth (fp32)

          picture        size  PSNR dB     SSIM
          ----------  -------  -------  -------  -----
          astronaut   256x256    48.13  0.99877
          gradient    256x256    28.13  0.90000  worst
          broken.png            failed
          failed  broken.png: is a text file, not a picture that can be read; give a PNG

          worst picture  28.13 dB (gradient), SSIM 0.90000 (gradient)
          PSNR of the mean squared error over all pictures  31.10 dB
          size  6,736,313 -> 1,554,321 bytes, 23.1 %
          computed in  fp32
          FAILED  max-bytes: at most 1,000 bytes: 1,554,321
          note: the prefix "module." of all names was stripped
          PSNR: peak 255, all channels; SSIM: Gaussian window 11x11, sigma 1.5, K1 0.01,
            K2 0.03, peak 255, population variance, valid windows, mean over channels;
            outputs in float, clamped to 0…255

        """)
  }

  @Test func identicalPicturesAreInfiniteAndNoneOfThemIsTheWorst() throws {
    let report = sampleReport([
      try sampleResult("a", meanSquaredError: 0, ssim: 1),
      try sampleResult("b", meanSquaredError: 0, ssim: 1),
    ])
    #expect(report.text.contains("\n  a        256x256      inf  1.00000\n"))
    #expect(report.text.contains("worst picture  inf dB"))
    #expect(!report.text.contains("1.00000  worst"))
  }

  @Test func noPictureIsSaid() {
    #expect(sampleReport([]).text.contains("\n  no picture was evaluated\n"))
  }

  /// Whatever the names are, and whatever they hold.
  @Test(arguments: [
    "short", String(repeating: "a long name ", count: 12) + ".png",
    "bricks_and_mortar_" + String(repeating: "x", count: 100) + ".jpg", "two\nlines\u{1B}[31m", "",
  ])
  func staysWithin80Columns(name: String) throws {
    var report = sampleReport(
      [
        try sampleResult(name, meanSquaredError: 3), sampleFailure("b"),
        try sampleResult("c", meanSquaredError: 3),
      ],
      gates: Gates(minPSNR: 50, minSSIM: 0.999, maxBytes: 1))
    report.notes.append(String(repeating: "a note that goes on ", count: 10))
    let lines = report.text.split(separator: "\n", omittingEmptySubsequences: false)
    // A name without blanks cannot be broken where it is told in full.
    for line in lines where !line.contains(String(repeating: "x", count: 60)) {
      #expect(line.count <= 80, "\(line)")
    }
    #expect(!report.text.contains("\u{1B}"))
    #expect(lines.contains { $0.hasPrefix("  c ") })
  }

  /// 48.13 and 28.13 dB.
  @Test func theMeanOfDecibelsIsNowhere() throws {
    let report = sampleReport([
      try sampleResult("a", meanSquaredError: 1), try sampleResult("b", meanSquaredError: 100),
    ])
    for text in [report.text, report.markdown, report.json.text(indented: true)] {
      #expect(!text.contains("38.13"))
      #expect(text.contains("31.0") || text.contains("31.1"))
    }
  }
}
