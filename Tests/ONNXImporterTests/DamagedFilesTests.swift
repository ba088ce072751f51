import Diagnostics
import ProtobufSupport
import Tensors
import TestSupport
import Testing

@testable import ONNXImporter

/// Files made to harm, and files that broke on the way: a network or an error each, never a crash.
@Suite struct DamagedFilesTests {
  private static func outcome(_ bytes: [UInt8]) -> Result<ONNXModel, StyleModelError> {
    do throws(StyleModelError) { return .success(try readONNX(bytes, readBeside: nothingBeside)) } catch {
      return .failure(error)
    }
  }

  private static func message(_ bytes: [UInt8]) -> String {
    switch outcome(bytes) {
    case .success(let model):
      switch model.network {
      case .success: "a network"
      case .failure(let error): error.message
      }
    case .failure(let error): error.message
    }
  }

  @Test func cutShortAnywhereIsAnError() throws {
    let whole = try fixtureBytes("onnx/tiny_opset17.onnx")
    #expect(Self.message(whole) == "a network")
    for length in stride(from: 0, to: whole.count, by: whole.count / 200) {
      #expect(Self.message(Array(whole[..<length])) != "a network", "cut to \(length) bytes")
    }
  }

  @Test func flippedBytesDoNoHarm() throws {
    let whole = try fixtureBytes("onnx/tiny_opset9.onnx")
    var random = SeededRandom(seed: 11)
    var refused = 0
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      if Self.message(bytes) != "a network" { refused += 1 }
    }
    // Names and structure are most of this file: most of what is flipped must be noticed.
    #expect(refused > 120)
  }

  @Test(arguments: [
    ([1 << 31, 1 << 31, 1 << 31, 1 << 31], "tensor 'w': has an impossible shape"),
    ([1 << 31], "tensor 'w': holds 4 bytes, which do not fit [2147483648] of float32"),
    ([-1], "tensor 'w': has an impossible shape [-1]"),
    ([2], "tensor 'w': holds 4 bytes, which do not fit [2] of float32"),
    ([Int](repeating: 1, count: 17), "tensor 'w': has an impossible shape"),
  ]) func shapesThatLieAreRefused(extents: [Int], expected: String) {
    let model = HandMadeModel(
      nodes: [.init("Relu", ["x"], "y")], tensors: [.init(name: "w", extents: extents, raw: [0, 0, 0, 0])])
    #expect(Self.message(model.bytes).hasPrefix(expected), "\(Self.message(model.bytes))")
  }

  @Test func anUnknownElementTypeIsNamed() {
    let model = HandMadeModel(
      nodes: [.init("Relu", ["x"], "y")], tensors: [.init(name: "w", extents: [1], type: 8, raw: [0])])
    #expect(Self.message(model.bytes).hasPrefix("tensor 'w': is of element type 8, which is not read"))
  }

  @Test(arguments: ["../secret", "/etc/passwd", "a/../../b", "a//b", "", "..", "a\\..\\b"])
  func filesElsewhereAreNotRead(location: String) {
    let model = HandMadeModel(
      nodes: [.init("Relu", ["x"], "y")],
      tensors: [.init(name: "w", extents: [1], external: [("location", location), ("length", "4")])])
    let result = Self.message(model.bytes)
    #expect(result.contains("which is no file in the model's own folder"), "\(result)")
  }

  @Test(arguments: [
    ("8", "4", "from byte 8 for 4 bytes, but that file has only 8"), ("-4", "4", "does not fit its shape"),
    ("0", "8", "does not fit its shape"), ("9223372036854775807", "4", "but that file has only 8"),
    ("4", "4", "a network"), ("four", "4", "does not fit its shape"),
  ]) func extentsInOtherFilesAreChecked(offset: String, length: String, expected: String) throws {
    let model = HandMadeModel(
      nodes: [.init("Relu", ["x"], "y")],
      tensors: [
        .init(
          name: "w", extents: [1], external: [("location", "w.bin"), ("offset", offset), ("length", length)])
      ])
    let result: String
    do throws(StyleModelError) {
      let file = try readONNX(model.bytes) { name throws(StyleModelError) in
        #expect(name == "w.bin")
        return [0, 0, 0, 0, 0, 0, 128, 63]
      }
      _ = try file.network.get()
      #expect(file.tensors[0].tensor.floats() == [1])
      result = "a network"
    } catch { result = error.message }
    #expect(result.hasSuffix(expected), "\(result)")
  }

  /// Bodies of loops are skipped and never entered, however deep they are.
  @Test func graphsWithinGraphsAreNotEntered() {
    var inner: [UInt8] = []
    for _ in 0..<20_000 {
      // A graph holds a node (1), the node an attribute (5), the attribute a graph (6).
      for field in [6, 5, 1] {
        var writer = ProtobufWriter()
        writer.block(field, inner)
        inner = writer.bytes
        if inner.count > 1 << 20 { break }
      }
      if inner.count > 1 << 20 { break }
    }
    var node = ProtobufWriter()
    node.text(1, "x")
    node.text(2, "y")
    node.text(4, "Loop")
    node.message(5) {
      $0.text(1, "body")
      $0.block(6, inner)
      $0.number(20, 5)
    }
    var model = ProtobufWriter()
    model.number(1, 8)
    model.message(7) { graph in
      graph.block(1, node.bytes)
      for field in [11, 12] { graph.message(field) { $0.text(1, field == 11 ? "x" : "y") } }
    }
    #expect(Self.message(model.bytes).hasPrefix("Loop 'y': chooses or repeats operations while it runs"))
  }

  @Test(arguments: [
    ([UInt8](), "is an ONNX file without a graph"), ([8, 8], "is an ONNX file without a graph"),
    ([8, 8, 58, 0], "has 0 inputs ()"), ([8, 8, 58, 255, 255, 255, 255, 15], "byte 8: a field reaches over"),
    ([8, 8, 56, 1], "byte 4: has a field 'graph' of the wrong wire type"),
  ]) func brokenMessagesAreRefused(bytes: [UInt8], expected: String) {
    #expect(Self.message(bytes).contains(expected), "\(Self.message(bytes))")
  }

  /// A picture repeated until no number holds how often, and constants without end.
  @Test func shortFilesThatAskForEndlessWorkAreRefused() {
    let wide = HandMadeModel.Tensor.integers("s", [1 << 24, 1 << 24, 1, 3, 1, 1])
    var model = HandMadeModel(nodes: [.init("Expand", ["x", "s"], "y")], tensors: [wide])
    #expect(Self.message(model.bytes).contains("changes a picture of shape"), "\(Self.message(model.bytes))")
    model.nodes = (0..<40).map {
      .init("Tile", [$0 == 0 ? "x" : "t\($0 - 1)", "r"], $0 == 39 ? "y" : "t\($0)")
    }
    model.tensors = [.integers("r", [1, 1, 4096, 4096])]
    #expect(Self.message(model.bytes).contains("changes a picture of shape"), "\(Self.message(model.bytes))")
    model.nodes =
      [.init("ConstantOfShape", ["r"], "c0")]
      + (1..<200).map { .init("Add", ["c\($0 - 1)", "c0"], "c\($0)") }
      + [.init("Mul", ["x", "c199"], "y")]
    model.tensors = [.integers("r", [1 << 20])]
    #expect(
      Self.message(model.bytes).contains("more computed while it is read"), "\(Self.message(model.bytes))")
  }

  /// Thousands of empty messages take far more memory than bytes.
  @Test func emptyTensorsDoNotEatMemory() {
    var model = ProtobufWriter()
    model.number(1, 8)
    model.message(7) { graph in
      for _ in 0..<19_000 { graph.block(5, []) }
    }
    let result = Self.message(model.bytes)
    #expect(result.contains("takes far more memory than its size justifies"), "\(result)")
  }
}
