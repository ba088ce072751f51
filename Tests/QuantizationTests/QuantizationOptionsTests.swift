import Diagnostics
import Testing

@testable import Quantization

@Suite struct QuantizationOptionsTests {
  @Test(
    arguments: [
      ("fp32", ["--fp32"]), ("fp16", ["--fp16"]), ("int8", ["--int8"]), ("int2", ["--bits", "2"]),
      ("int5-affine", ["--bits", "5", "--affine"]), ("int8-per-tensor", ["--int8", "--per-tensor"]),
      ("int4-affine-per-tensor", ["--bits", "4", "--affine", "--per-tensor"]),
      ("palette4", ["--palette", "4"]), ("palette1-group16", ["--palette", "1", "--group-size", "16"]),
      ("int8-coded", ["--bits", "8"]), ("int6-fast-load", ["--bits", "6", "--fast-load"]),
      ("int3-affine-per-tensor-fast-load", ["--bits", "3", "--affine", "--per-tensor", "--fast-load"]),
    ])
  func namesAndArgumentsSayTheSame(name: String, arguments: [String]) throws {
    let options = try QuantizationOptions(named: name)
    #expect(options.name == name)
    #expect(options.arguments == arguments)
    // The arguments, read by the table, give the options again.
    var read = QuantizationOptions()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let scheme = try #require(QuantizationScheme.all.first { "--" + $0.name == argument })
      let width = scheme.argument == nil ? nil : rest.popFirst().flatMap { Int($0) }
      try read.apply(scheme, argument: width)
    }
    #expect(read == options)
  }

  @Test(arguments: [
    "", "int1", "int9", "fp16-affine", "int8-per-tensor-affine", "INT8", "int8-fast-load", "int4-coded",
    "fp16-coded", "palette9", "palette0", "int8-group4", "palette4-group0", "palette4-affine",
  ])
  func otherNamesAreRefused(name: String) {
    let error = #expect(throws: StyleModelError.self) { try QuantizationOptions(named: name) }
    #expect(error?.kind == .usage)
  }

  @Test func modifiersOfIntegersDoNotGoWithFloats() {
    for storage: QuantizationOptions.Storage in [.float16, .float32] {
      let error = #expect(throws: StyleModelError.self) {
        try QuantizationOptions(storage: storage, isAffine: true).validate()
      }
      #expect(error?.message.hasPrefix("--affine says how integers are scaled") == true)
      #expect(throws: StyleModelError.self) {
        try QuantizationOptions(storage: storage, isPerTensor: true).validate()
      }
    }
    #expect(throws: StyleModelError.self) {
      try QuantizationOptions(storage: .integers(bits: 9)).validate()
    }
  }

  @Test func theWidthMustBeGivenAndInRange() throws {
    let scheme = try #require(QuantizationScheme.all.first { $0.name == "bits" })
    var options = QuantizationOptions()
    for argument in [nil, 1, 9] as [Int?] {
      #expect(throws: StyleModelError.self) { try options.apply(scheme, argument: argument) }
    }
    try options.apply(scheme, argument: 6)
    #expect(options.storage == .integers(bits: 6))
    #expect(options.isEntropyCoded)
  }

  @Test func theTableNamesEachRowOnce() {
    #expect(Set(QuantizationScheme.all.map(\.name)).count == QuantizationScheme.all.count)
    #expect(
      QuantizationScheme.all.filter(\.isModifier).map(\.name) == [
        "affine", "per-tensor", "group-size", "fast-load",
      ])
  }

  @Test func whatIsKeptIsRecorded() {
    #expect(QuantizationOptions(keep: ["first", "a.b"]).arguments == ["--int8", "--keep", "first,a.b"])
  }
}
