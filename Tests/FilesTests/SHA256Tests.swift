import CKernels
import Testing

@testable import Files

@Suite struct SHA256Tests {
  /// From FIPS 180-4's examples.
  @Test(
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func agreesWithTheStandard(text: String, digest: String) {
    #expect(hexadecimal(sha256(Array(text.utf8))) == digest)
  }

  @Test func aMillionLettersAgreeWithTheStandard() {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(
      hexadecimal(sha256(bytes)) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// Every length around the ends of blocks, on both paths.
  @Test func thePathsAgree() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 37 ^ $0 >> 3) }
    for count in 0...300 {
      var portable = [UInt8](repeating: 0, count: 32)
      ck_sha256_portable(bytes, count, &portable)
      #expect(sha256(Array(bytes[..<count])) == portable)
    }
  }
}
