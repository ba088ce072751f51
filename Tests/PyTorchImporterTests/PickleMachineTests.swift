import Diagnostics
import Testing

@testable import PyTorchImporter

@Suite struct PickleMachineTests {
  @Test(arguments: [
    ("N.", PickleValue.none), ("\u{88}.", .bool(true)), ("I01\n.", .bool(true)), ("I-7\n.", .integer(-7)),
    ("L12L\n.", .integer(12)), ("L123456789012345678901234567890L\n.", .bigInteger),
    ("F0.5\n.", .double(0.5)),
    ("K\u{FF}.", .integer(255)), ("M\u{01}\u{02}.", .integer(513)),
    ("J\u{FF}\u{FF}\u{FF}\u{FF}.", .integer(-1)),
    ("\u{8A}\u{00}.", .integer(0)), ("\u{8A}\u{01}\u{FF}.", .integer(-1)),
    ("\u{8A}\u{02}\u{FF}\u{00}.", .integer(255)), ("G?\u{E0}\0\0\0\0\0\0.", .double(0.5)),
    ("U\u{02}ab.", .string("ab")), ("S'ab'\n.", .string("ab")), ("Vab\n.", .string("ab")),
    ("C\u{02}ab.", .bytes(2..<4)), ("N2000N.", .none),
  ])
  func readsPlainValues(pickle: String, value: PickleValue) throws {
    // One letter, one byte.
    let bytes = pickle.unicodeScalars.map { UInt8($0.value) }
    let document = try? PickleMachine.read(bytes[...], place: "test")
    if pickle == "N2000N." {
      #expect(document == nil, "three values popped of two")
    } else {
      #expect(document?.root == value)
      #expect(document?.byteCount == bytes.count)
    }
  }

  @Test func sharedObjectsAreMadeOnce() throws {
    // A list of a dict twice.
    let document = try PickleMachine.read(Array("(lp0\n(dp1\nag1\na.".utf8)[...], place: "test")
    let elements = try #require(document.elements(document.root))
    #expect(elements.count == 2 && elements[0] == elements[1])
    #expect(document.objects.count == 2)
  }

  @Test func appendingOneByOneTakesTimeThatGrowsWithTheLength() throws {
    // Fails by never ending where each of the 400,000 appends copies the list.
    let count = 400_000
    var bytes: [UInt8] = [0x5D]
    for _ in 0..<count { bytes += [0x4E, 0x61] }
    let document = try PickleMachine.read((bytes + [0x2E])[...], place: "test")
    #expect(document.elements(document.root)?.count == count)
  }

  @Test func callsStayCalls() throws {
    let document = try PickleMachine.read(
      Array("cmystyle.io\nload\n(S'weights'\ntR}b.".utf8)[...], place: "test")
    let call = try #require(document.call(document.root))
    #expect(document.className(call) == "mystyle.io.load")
    #expect(document.elements(call.arguments) == [.string("weights")])
    #expect(document.attributes(call)?.isEmpty == true)
  }

  /// Learning-rate schedulers hold bound methods, which Python writes as a call of getattr.
  @Test(arguments: [
    ("builtins", "getattr", false), ("builtins", "eval", true), ("__builtin__", "execfile", true),
    ("os", "system", true), ("os.path", "join", true), ("posix", "system", true),
    ("ossaudiodev", "open", false),
    ("torch.nn.modules.conv", "Conv2d", false), ("code.models", "Net", false),
    ("collections", "OrderedDict", false),
    ("builtins", "set", false), ("subprocess", "run", true), ("argparse", "Namespace", false),
  ])
  func knowsTheGlobalsThatNoCheckpointNeeds(module: String, name: String, isHostile: Bool) {
    #expect(HostileGlobals.contains(PickleGlobal(module: module, name: name)) == isHostile)
  }
}
