/// The opcodes of pickle protocols 0 to 5, by the names of Python's `pickletools`.
enum PickleOpcode: UInt8 {
  // Protocol 0.
  case mark = 0x28  // (
  case stop = 0x2E  // .
  case pop = 0x30  // 0
  case dup = 0x32  // 2
  case float = 0x46  // F
  case int = 0x49  // I
  case long = 0x4C  // L
  case none = 0x4E  // N
  case persID = 0x50  // P
  case reduce = 0x52  // R
  case string = 0x53  // S
  case unicode = 0x56  // V
  case append = 0x61  // a
  case build = 0x62  // b
  case global = 0x63  // c
  case dict = 0x64  // d
  case get = 0x67  // g
  case inst = 0x69  // i
  case list = 0x6C  // l
  case put = 0x70  // p
  case setItem = 0x73  // s
  case tuple = 0x74  // t

  // Protocol 1.
  case popMark = 0x31  // 1
  case binFloat = 0x47  // G
  case binInt = 0x4A  // J
  case binInt1 = 0x4B  // K
  case binInt2 = 0x4D  // M
  case binPersID = 0x51  // Q
  case binString = 0x54  // T
  case shortBinString = 0x55  // U
  case binUnicode = 0x58  // X
  case emptyList = 0x5D  // ]
  case appends = 0x65  // e
  case binGet = 0x68  // h
  case longBinGet = 0x6A  // j
  case obj = 0x6F  // o
  case binPut = 0x71  // q
  case longBinPut = 0x72  // r
  case setItems = 0x75  // u
  case emptyDict = 0x7D  // }
  case emptyTuple = 0x29  // )

  // Protocol 2.
  case proto = 0x80
  case newObj = 0x81
  case ext1 = 0x82
  case ext2 = 0x83
  case ext4 = 0x84
  case tuple1 = 0x85
  case tuple2 = 0x86
  case tuple3 = 0x87
  case newTrue = 0x88
  case newFalse = 0x89
  case long1 = 0x8A
  case long4 = 0x8B

  // Protocol 3.
  case binBytes = 0x42  // B
  case shortBinBytes = 0x43  // C

  // Protocol 4.
  case shortBinUnicode = 0x8C
  case binUnicode8 = 0x8D
  case binBytes8 = 0x8E
  case emptySet = 0x8F
  case addItems = 0x90
  case frozenSet = 0x91
  case newObjEx = 0x92
  case stackGlobal = 0x93
  case memoize = 0x94
  case frame = 0x95

  // Protocol 5.
  case byteArray8 = 0x96
  case nextBuffer = 0x97
  case readonlyBuffer = 0x98
}
