import Diagnostics
import NumPyFormat
import Testing

@Suite struct NPYHeaderTests {
  /// A file of a version with a dictionary and nothing behind it.
  private static func file(_ dictionary: String, version: UInt8 = 1) -> [UInt8] {
    let count = dictionary.utf8.count
    let length = [UInt8(count & 255), UInt8(count >> 8)] + (version == 1 ? [] : [0, 0])
    return NPYHeader.magic + [version, 0] + length + Array(dictionary.utf8)
  }

  static let dictionaries: [(text: String, header: NPYHeader)] = [
    (
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }      \n",
      NPYHeader(descr: "<f4", isFortranOrder: false, shape: [2, 3])
    ),
    (
      "{\"shape\": (5,), \"fortran_order\": True, \"descr\": \"|u1\"}\n",
      NPYHeader(descr: "|u1", isFortranOrder: true, shape: [5])
    ),
    (
      "{'descr':'>f8','fortran_order':False,'shape':()}",
      NPYHeader(descr: ">f8", isFortranOrder: false, shape: [])
    ),
    (
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 0L), }\n",
      NPYHeader(descr: "<f4", isFortranOrder: false, shape: [2, 0])
    ),
  ]

  @Test(arguments: dictionaries) func reads(_ expected: (text: String, header: NPYHeader)) throws {
    for version: UInt8 in 1...3 {
      // A slice that does not start at 0, as the members of an archive are.
      let bytes = [7, 7, 7] + Self.file(expected.text, version: version)
      let (header, start) = try npyHeader(bytes[3...])
      #expect(header == expected.header)
      #expect(start == bytes.count)
    }
  }

  static let faults: [(bytes: [UInt8], message: String)] = [
    (
      NPYHeader.magic + [1, 0, 0],
      "is cut off: a .npy file that ends within its header; save or copy it again"
    ),
    (
      Array(file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }").dropLast()),
      "is cut off: a .npy file that ends within its header; save or copy it again"
    ),
    (file("{}    ", version: 4), "is a .npy file of version 4, which is not known; save it as version 1.0"),
    (
      NPYHeader.magic + [2, 0, 0, 0, 1, 0, 0, 0],
      "is a .npy file with a header of 65,536 bytes; save a plain array"
    ),
    (
      file("{'descr': '<f4', 'shape': (2,)}"),
      "header: lacks one of 'descr', 'fortran_order' and 'shape'; it is damaged, or no plain array; save it again"
    ),
    (
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}"),
      "header: has a shape that is not made of whole numbers; it is damaged, or no plain array; save it again"
    ),
    (
      file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}"),
      "header: has something other than text where text belongs (byte 10 of the dictionary); "
        + "it is damaged, or no plain array; save it again"
    ),
    (
      file("{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}"),
      "header: says neither True nor False for 'fortran_order'; it is damaged, or no plain array; save it again"
    ),
  ]

  @Test(arguments: faults) func refuses(_ fault: (bytes: [UInt8], message: String)) {
    let error = #expect(throws: StyleModelError.self) { _ = try npyHeader(fault.bytes[...]) }
    #expect(error?.message == fault.message)
  }
}
