import Archives
import CReaderProcess
public import Diagnostics
import Glibc

/// The executable that reads HDF5 files in a process of its own, and what it may use.
///
/// The HDF5 library trusts its files. Its bugs, its start-up cost and the libraries that it needs stay out of this
/// process: a crash there is an error message here.
public struct HDF5Reader: Sendable {
  /// What one reading may use.
  public struct Limits: Hashable, Sendable {
    /// The address space of the reader's process, in bytes.
    public var memoryBytes: Int
    /// Its processor time, in seconds.
    public var processorSeconds: Int
    /// The time until it must have finished, in seconds.
    public var wallSeconds: Double
    /// All attributes and datasets together, in bytes.
    public var contentBytes: Int

    /// What a file of this size can justify.
    /// - Parameter fileSize: in bytes. What is compressed may grow as the members of a zip may.
    public init(fileSize: Int) {
      contentBytes = min(ZipArchive.expansionLimit(fileSize: fileSize), 1 << 40)
      memoryBytes = 512 << 20 + contentBytes * 2
      // Gzip gives more than 50 MB a second.
      processorSeconds = 10 + contentBytes / 50_000_000
      wallSeconds = 3 * Double(processorSeconds)
    }
  }

  /// The executable.
  public var path: String
  /// What it may use; nil for what the file's size justifies.
  public var limits: Limits?

  /// Creates a reader.
  public init(path: String, limits: Limits? = nil) {
    self.path = path
    self.limits = limits
  }

  /// The reader that `STYLEMODEL_HDF5_READER` names, or else the one beside the program that is running.
  /// - Throws: `.cannotOpen` when there is none, saying how to get it.
  public static func installed() throws(StyleModelError) -> HDF5Reader {
    if let named = getenv("STYLEMODEL_HDF5_READER").map({ String(cString: $0) }), !named.isEmpty {
      guard access(named, X_OK) == 0 else {
        throw StyleModelError(
          .cannotOpen,
          "is read by a program of its own, and STYLEMODEL_HDF5_READER names none that can be run",
          remedy: remedyForMissingReaders)
      }
      return HDF5Reader(path: named)
    }
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    let program = String(decoding: buffer.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let beside = program.prefix(through: program.lastIndex(of: "/") ?? program.startIndex) + name
    guard length > 0, access(String(beside), X_OK) == 0 else {
      throw StyleModelError(
        .cannotOpen, "is read by a program of its own, \(name), which is not beside this one",
        remedy: remedyForMissingReaders)
    }
    return HDF5Reader(path: String(beside))
  }

  private static let name = "stylemodel-hdf5-reader"

  static let remedyForMissingReaders =
    "install libhdf5-dev, run `swift build -c release --product \(name)`, and leave it beside stylemodel or name it in "
    + "STYLEMODEL_HDF5_READER"

  static let remedyForForeignReaders = "build \(name) again, from the same sources as this program"

  /// Reads the objects of an HDF5 file.
  /// - Throws: `.badInput` when the file is damaged, asks for what is not allowed, or makes the reader crash or exceed
  ///   its limits; `.cannotOpen` when the reader cannot be run.
  func read(_ bytes: [UInt8]) throws(StyleModelError) -> HDF5File {
    let limits = limits ?? Limits(fileSize: bytes.count)
    let file = try descriptor(holding: bytes)
    defer { close(file) }
    let process = try ReaderProcess(
      path, arguments: ["-"] + limits.arguments, input: file)
    let (output, ending) = process.run(limits)
    switch ending {
    case .exited(0), .exited(2): return try HDF5File(stream: output)
    case .exited(let status):
      throw StyleModelError(
        .internalFault, "the HDF5 reader ended with status \(status)", remedy: Self.remedyForForeignReaders)
    case .signalled(SIGXCPU):
      throw StyleModelError(
        .badInput,
        "the HDF5 reader took more than \(limits.processorSeconds) seconds of processor time for it",
        remedy: Self.remedyForBadFiles)
    case .signalled(let signal):
      throw StyleModelError(
        .badInput, "the HDF5 reader crashed on it (\(String(cString: strsignal(signal))))",
        remedy: Self.remedyForBadFiles)
    case .tooSlow:
      throw StyleModelError(
        .badInput,
        "the HDF5 reader had not finished after \(fixed(limits.wallSeconds, 0)) seconds and was stopped",
        remedy: Self.remedyForBadFiles)
    case .tooMuch:
      throw StyleModelError(
        .badInput, "the HDF5 reader gave more than a file of this size can hold, and was stopped",
        remedy: Self.remedyForBadFiles)
    }
  }

  private static let remedyForBadFiles =
    "the file is damaged or hostile; if h5py opens it, write its weights to a new file"

  /// The bytes as a file without a name: the reader sees what was hashed, whatever becomes of the file meanwhile.
  private func descriptor(holding bytes: [UInt8]) throws(StyleModelError) -> Int32 {
    let descriptor = bytes.withUnsafeBytes { reader_file($0.baseAddress, $0.count) }
    guard descriptor >= 0 else {
      throw StyleModelError(
        .internalFault, "memory for the HDF5 reader cannot be had (\(String(cString: strerror(errno))))")
    }
    return descriptor
  }
}

extension HDF5Reader.Limits {
  fileprivate var arguments: [String] { [memoryBytes, processorSeconds, contentBytes].map(String.init) }
}
