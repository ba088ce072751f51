import Diagnostics
import Files
import Glibc
import ModelGraph
import Quantization
import Tensors
import TestSupport
import Testing

@testable import StyleModelFile

/// An interpreter that has numpy and protobuf: the one named by STYLEMODEL_PYTHON, which tools/test sets.
private let python: String? = {
  guard let name = getenv("STYLEMODEL_PYTHON").map({ String(cString: $0) }) else { return nil }
  return output(of: [name, "-c", "import numpy, google.protobuf; print(1)"]) == "1\n" ? name : nil
}()

/// What a command writes to its standard output, or nil if it fails.
private func output(of arguments: [String]) -> String? {
  let command = arguments.map {
    "'"
      + $0.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }.joined(separator: " ")
  guard let pipe = popen(command, "r") else { return nil }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = fread(&chunk, 1, chunk.count, pipe)
    if count == 0 { break }
    bytes += chunk[..<count]
  }
  return pclose(pipe) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
}

/// tools/read_stylemodel.py is written from the specification and shares no code with the reader here: where both get
/// the same bits, the specification is enough.
@Suite(.enabled(if: python != nil, "STYLEMODEL_PYTHON names no Python with numpy and protobuf"))
struct PythonReaderTests {
  private func expectSameDigests(_ model: StyleModel, _ label: String, entropyCoding: Bool = false) throws {
    let name = label.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
    let path = "/tmp/stylemodel-python-\(getpid())-\(name).stylemodel"
    defer { unlink(path) }
    let bytes = try encodeStyleModel(model, entropyCoding: entropyCoding)
    try replaceFile(path, with: bytes)
    let decoded = try decodeStyleModel(bytes)
    let expected = decoded.graph.constantsInOrder.map { item in
      let tensor = item.constant.tensor
      let digest = tensor.floats().withUnsafeBytes { sha256(Array($0)) }
      return "\(item.constant.name)\t\(tensor.shape)\t\(hexadecimal(digest))"
    }
    let script = repositoryRoot + "/tools/read_stylemodel.py"
    let found = output(of: [try #require(python), script, "--digest", path])
    let lines = found?.split(separator: "\n").map(String.init) ?? []
    #expect(lines.count == expected.count)
    for (line, want) in zip(lines, expected) { #expect(line == want) }
  }

  @Test func everyEncoding() throws { try expectSameDigests(modelOfAllEncodings(), "encodings") }

  @Test func codedWeights() throws {
    try expectSameDigests(modelOfCodedWeights(), "coded", entropyCoding: true)
    try expectSameDigests(modelOfPalettes(), "palettes")
    try expectSameDigests(modelOfCodedWeights(), "wide")
  }

  @Test(
    arguments: [
      "fp32", "fp16", "int8", "int8-affine", "int8-per-tensor", "int8-affine-per-tensor", "int2", "int3",
      "int4", "int5", "int6", "int7", "int4-affine", "int3-affine-per-tensor",
    ])
  func everyScheme(name: String) throws {
    let model = try modelOfAllOperations()
    let options = try QuantizationOptions(named: name)
    let quantized = try quantized(model.graph, options: options).graph
    try expectSameDigests(StyleModel(graph: quantized, provenance: model.provenance), name)
  }

  @Test(arguments: [["wave", "scream", "night"], []])
  func styles(names: [String]) throws {
    try expectSameDigests(modelOfStyles(names: names), "styles\(names.count)")
  }

  @Test func damageIsRefused() throws {
    let path = "/tmp/stylemodel-python-\(getpid())-damaged.stylemodel"
    defer { unlink(path) }
    var bytes = try encodeStyleModel(smallModel())
    bytes[bytes.count - 1] ^= 1
    try replaceFile(path, with: bytes)
    #expect(output(of: [try #require(python), repositoryRoot + "/tools/read_stylemodel.py", path]) == nil)
  }
}
