import Testing

@testable import CommandLine

/// Wrong command lines, each with the first line that it is answered with.
@Suite struct UsageErrorTests {
  struct ErrorCase: CustomTestStringConvertible, Sendable {
    var line: String
    var expected: String
    var testDescription: String { line }

    init(_ line: String, _ expected: String) {
      self.line = line
      self.expected = expected
    }
  }

  @Test(arguments: [
    ErrorCase("convrt a", "Unknown command 'convrt'; did you mean 'convert'?"),
    ErrorCase("insp", "Unknown command 'insp'; did you mean 'inspect'?"),
    ErrorCase("model.pth", "Unknown command 'model.pth'"),
    ErrorCase("help nope", "Unknown command 'nope'"),
    ErrorCase("--verbose", "Unknown option '--verbose'"),
    ErrorCase("--", "Missing command"),
    ErrorCase("convert", "Missing argument 'INPUT'"),
    ErrorCase("stylize m -o x", "Missing argument 'IMAGE…'"),
    ErrorCase("stylize m a.png", "Missing option '-o OUT'"),
    ErrorCase("convert a b", "Unexpected argument 'b'; put a name that has spaces in quotes"),
    ErrorCase("convert a --int9", "Unknown option '--int9'; did you mean '--int8'?"),
    ErrorCase("convert a -int8", "Unknown option '-int8'; did you mean '--int8'?"),
    ErrorCase("convert a --ouptut x", "Unknown option '--ouptut'; did you mean '--output'?"),
    ErrorCase("convert a --quite", "Unknown option '--quite'"),
    ErrorCase("convert a -x", "Unknown option '-x'"),
    ErrorCase("convert a --json=yes", "'--json' takes no value, but 'yes' is given"),
    ErrorCase("convert a --fp32 --int8", "'--fp32' and '--int8' exclude each other; give one of them"),
    ErrorCase("convert a --bits 4 --fp16", "'--fp16' and '--bits' exclude each other; give one of them"),
    ErrorCase("convert a -o x --output=y", "'--output' is given twice; give it once"),
    ErrorCase("convert a --eval --eval", "'--eval' is given twice; give it once"),
    ErrorCase("convert a -o", "Missing value for '-o OUTPUT'; it wants the name of a file"),
    ErrorCase("convert a -o --int8", "Missing value for '-o OUTPUT'; it wants the name of a file"),
    ErrorCase("convert -o -- a", "Missing value for '-o OUTPUT'; it wants the name of a file"),
    ErrorCase("convert a --output=", "--output wants the name of a file, not ''"),
    ErrorCase("convert a --bits 9", "--bits wants a whole number from 2 to 8, not '9'"),
    ErrorCase(
      "convert a --min-psnr 40 --int8", "'--int8' and '--min-psnr' exclude each other; give one of them"),
    ErrorCase(
      "convert a --max-bytes 9 --min-psnr 40",
      "'--min-psnr' and '--max-bytes' exclude each other; give one of them"),
    ErrorCase(
      "convert a --min-psnr 0", "--min-psnr wants a number of decibels from 1 to 100, such as 40, not '0'"),
    ErrorCase(
      "convert a --min-psnr inf", "--min-psnr wants a number of decibels from 1 to 100, such as 40, not 'inf'"
    ),
    ErrorCase(
      "sensitivity a --widths 4,4",
      "--widths wants different whole numbers from 2 to 8, apart by commas, not '4,4'"),
    ErrorCase("convert a --bits -1", "--bits wants a whole number from 2 to 8, not '-1'"),
    ErrorCase("convert a --bits 4.0", "--bits wants a whole number from 2 to 8, not '4.0'"),
    ErrorCase("convert a --io caffe", "--io wants imagenet, raw255, unit or signed, not 'caffe'"),
    ErrorCase("convert a --keep b,,c", "--keep wants names apart by commas, not 'b,,c'"),
    ErrorCase("sweep", "Missing argument 'MODEL…'"),
    ErrorCase(
      "sweep m --schemes int8,int9",
      "--schemes wants names of schemes apart by commas, such as fp16,int8,int5-affine, not 'int8,int9'"),
    ErrorCase(
      "sweep m --schemes int8,int8",
      "--schemes wants names of schemes apart by commas, such as fp16,int8,int5-affine, not 'int8,int8'"),
    ErrorCase("eval --max-bytes 0", "--max-bytes wants a whole number of at least 1, not '0'"),
    ErrorCase(
      "eval --max-bytes 99999999999999999999",
      "--max-bytes wants a whole number of at least 1, not '99999999999999999999'"),
    ErrorCase("eval --min-psnr nan", "--min-psnr wants a number of decibels, such as 45, not 'nan'"),
    ErrorCase("eval --min-ssim 1.01", "--min-ssim wants a number from -1 to 1, such as 0.99, not '1.01'"),
    ErrorCase(
      "eval --report a.md --against", "Missing value for '--against fp32|MODEL|DIR'; it wants a text"),
    ErrorCase(
      "stylize m a -o b --background grey",
      "--background wants white, black or a colour such as #a0b0c0, not 'grey'"),
    ErrorCase("bench m --threads 0", "--threads wants a whole number from 1 to 1024, not '0'"),
  ]) func isNamed(error: ErrorCase) throws {
    let result = try capture(error.line.split(separator: " ").map(String.init))
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    let lines = result.diagnostics.split(separator: "\n").map(String.init)
    #expect(lines.first == "Error: " + error.expected)
    #expect(lines.dropFirst().first?.hasPrefix("Usage: stylemodel") == true)
    #expect(lines.last?.hasSuffix("--help' for more information.") == true)
  }

  @Test func theWholeAnswer() throws {
    let result = try capture(["bench", "m", "--size", "640"])
    #expect(
      result.diagnostics == """
        Error: --size wants a size such as 640x960 (width, then height, from 1 to 65535), not '640'
        Usage: stylemodel bench MODEL [--size WxH] [--runs N] …
          See 'stylemodel bench --help' for more information.

        """)
  }

  @Test func whatTheUserTypedIsMadeSafeToPrint() throws {
    let result = try capture(["convert", "a", "--b\u{1B}[31m"])
    #expect(result.diagnostics.hasPrefix("Error: Unknown option '--b\\u{1b}[31m'"))
    #expect(!result.diagnostics.contains("\u{1B}"))
  }

  @Test func anEmptyNameIsNoFile() throws {
    let result = try capture(["convert", ""])
    #expect(result.diagnostics.hasPrefix("Error: An empty name is given for 'INPUT'\n"))
  }
}
