import Diagnostics
import Testing

@testable import Evaluation

@Suite struct MarkdownReportTests {
  @Test func saysAllOfIt() throws {
    let report = sampleReport(
      [
        try sampleResult("a_photo.png", meanSquaredError: 1, ssim: 0.998765),
        try sampleResult("same", meanSquaredError: 0, ssim: 1), sampleFailure("x|y.png"),
      ], gates: Gates(maxBytes: 2_000_000), notes: ["a note"])
    #expect(
      report.markdown == """
        ### mosaic.int8.stylemodel against mosaic\\_4000.pth

        **Failed**: worst picture 48.13 dB (a\\_photo.png), SSIM 0.99877 (a\\_photo.png), PSNR of the mean squared error 51.14 dB.
        Size: 6,736,313 → 1,554,321 bytes (23.1 %), fp32 → int8.
        Computed in fp32.

        | picture | size | PSNR dB | SSIM |
        |---|---|---:|---:|
        | a\\_photo.png | 256x256 | 48.13 | 0.99877 |
        | same | 256x256 | inf | 1.00000 |
        | x\\|y.png |  | failed | x\\|y.png: is a text file, not a picture that can be read; give a PNG |

        - passed `max-bytes`: at most 2,000,000 bytes: 1,554,321

        | bytes | what |
        |---:|---|
        | 1,550,000 | 16 tensors int8 |
        | 4,321 | header |
        | **1,554,321** | **the file** |

        - note: a note

        <sub>PSNR: peak 255, all channels; SSIM: Gaussian window 11x11, sigma 1.5, K1 0.01, K2 0.03, peak 255, population variance, valid windows, mean over channels; outputs in float, clamped to 0…255</sub>

        """)
  }

  @Test func namesCannotBreakOut() throws {
    let name = "<script>`a`*b*\n| c [d](e)"
    let report = sampleReport([
      try sampleResult(name, meanSquaredError: 1), try sampleResult("b", meanSquaredError: 2),
    ])
    #expect(
      report.markdown.contains(
        "\n| \\<script\\>\\`a\\`\\*b\\*\\\\u{a}\\| c \\[d\\](e) | 256x256 | 48.13 | 0.99000 |\n"))
  }

  @Test func noPictureIsAFailure() {
    #expect(sampleReport([]).markdown.contains("**Failed**: no picture was evaluated."))
  }
}
