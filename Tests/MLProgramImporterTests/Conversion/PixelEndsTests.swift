import ModelGraph
import Testing

@testable import MLProgramExporter
@testable import MLProgramImporter

/// What stands at the ends of a program becomes the pixel contract where pictures go in and come out.
@Suite struct PixelEndsTests {
  private func program(tail: (inout SampleProgram, String) -> String) -> (SampleProgram, output: String) {
    var program = SampleProgram()
    let scaled = program.add("mul", [("x", .name(program.input)), ("y", .value(.number(Float(0.5))))])
    let biased = program.add(
      "sub", [("x", .name(scaled)), ("y", .value(.floats([1, 2, 3], shape: [1, 3, 1, 1])))])
    let bent = program.add("relu", [("x", .name(biased))])
    let output = tail(&program, bent)
    return (program, output)
  }

  private func finished(_ program: inout SampleProgram, _ value: String, half: Bool, _ rounding: String)
    -> String
  {
    let wide = program.add("mul", [("x", .name(value)), ("y", .value(.number(Float(255))))])
    let raised = program.add("add", [("x", .name(wide)), ("y", .value(.number(Float(4))))])
    var last = program.add(
      "clip",
      [("x", .name(raised)), ("alpha", .value(.number(Float(0)))), ("beta", .value(.number(Float(255))))])
    if half { last = program.add("add", [("x", .name(last)), ("y", .value(.number(Float(0.5))))]) }
    return program.add(rounding, [("x", .name(last))])
  }

  @Test(arguments: [
    (false, "round", PixelContract.Rounding.nearestEven), (false, "floor", .truncate),
    (true, "floor", .halfUp),
  ]) func scalingClampAndRoundingAreTheContract(half: Bool, type: String, rounding: PixelContract.Rounding)
    throws
  {
    let (program, output) = program { finished(&$0, $1, half: half, type) }
    let network = try program.read(output: output, image: true).network.get()
    #expect(network.saysPixels)
    #expect(network.graph.outline == ["relu"])
    let contract = network.graph.contract
    #expect(contract.inputScale == [0.5, 0.5, 0.5] && contract.inputBias == [-1, -2, -3])
    #expect(contract.outputScale == [255, 255, 255] && contract.outputBias == [4, 4, 4])
    #expect(contract.rounding == rounding)
    #expect(contract.sizes == .listed([PictureSize(width: 10, height: 12)]))
  }

  @Test func ofArraysNothingIsTaken() throws {
    let (program, output) = program { finished(&$0, $1, half: false, "identity") }
    let network = try program.read(output: output).network.get()
    #expect(!network.saysInput && !network.saysOutput)
    #expect(network.graph.contract.inputScale == [1, 1, 1])
    #expect(network.graph.outline.count == 6)
  }

  /// A clamp without rounding is the network's own, and so is what stands before it.
  @Test func aClampAloneStays() throws {
    let (program, output) = program { program, value in
      program.add(
        "clip",
        [("x", .name(value)), ("alpha", .value(.number(Float(0)))), ("beta", .value(.number(Float(255))))])
    }
    let graph = try program.graph(output: output, image: true)
    #expect(graph.outline == ["relu", "clamp lower 0.0 upper 255.0"])
    #expect(graph.contract.outputScale == [1, 1, 1])
  }

  /// A scaled value that is used once more besides is not the end of anything.
  @Test func whatIsUsedTwiceStays() throws {
    var program = SampleProgram()
    let scaled = program.add("mul", [("x", .name(program.input)), ("y", .value(.number(Float(0.5))))])
    let output = program.add("add", [("x", .name(scaled)), ("y", .name(program.input))])
    let graph = try program.graph(output: output, image: true)
    #expect(graph.outline == ["linear scale 0.5 bias 0.0", "add"])
    #expect(graph.contract.inputScale == [1, 1, 1])
  }
}
