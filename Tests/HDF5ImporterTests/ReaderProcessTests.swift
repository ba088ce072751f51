import Diagnostics
import Files
import Glibc
import TestSupport
import Testing

@testable import HDF5Importer

/// What becomes of a reader that crashes, hangs, floods or lies: shell scripts in its place.
@Suite struct ReaderProcessTests {
  /// A script, and the error that it comes to.
  struct Case: CustomTestStringConvertible, Sendable {
    var script: String
    var kind: StyleModelError.Kind = .badInput
    var problem: String
    var testDescription: String { script }
  }

  private static let cases: [Case] = [
    Case(script: "kill -SEGV $$", problem: "the HDF5 reader crashed on it (Segmentation fault)"),
    Case(script: "printf SMH5; kill -ABRT $$", problem: "the HDF5 reader crashed on it (Aborted)"),
    Case(
      script: "kill -XCPU $$", problem: "the HDF5 reader took more than 1 seconds of processor time for it"),
    Case(
      script: "exec sleep 600", problem: "the HDF5 reader had not finished after 1 seconds and was stopped"),
    Case(
      script: "exec >/dev/null; exec sleep 600",
      problem: "the HDF5 reader had not finished after 1 seconds and was stopped"),
    Case(
      script: "exec yes",
      problem: "the HDF5 reader gave more than a file of this size can hold, and was stopped"),
    Case(
      script: "exit 9", kind: .internalFault, problem: "the HDF5 reader ended with status 9"),
    Case(
      script: "echo hello to you", kind: .internalFault,
      problem: "the HDF5 reader wrote something that is not its output"),
    Case(
      script: "printf 'SMH5\\001\\000\\000\\000G'", kind: .internalFault,
      problem: "the HDF5 reader ended before its output was whole"),
    Case(
      script: "printf 'SMH5\\001\\000\\000\\000E\\004\\000\\000\\000oops'; exit 2", problem: "oops"),
  ]

  @Test(arguments: cases) func comesToOneClearError(_ expected: Case) throws {
    let path = "/tmp/stylemodel-fake-reader-\(getpid())-\(abs(expected.script.hashValue))"
    try replaceFile(path, with: Array("#!/bin/sh\n\(expected.script)\n".utf8))
    defer { unlink(path) }
    chmod(path, 0o755)
    var limits = HDF5Reader.Limits(fileSize: 0)
    limits.contentBytes = 1 << 20
    limits.processorSeconds = 1
    limits.wallSeconds = 1
    let reader = HDF5Reader(path: path, limits: limits)
    let error = #expect(throws: StyleModelError.self) { try reader.read([1, 2, 3]) }
    #expect(error?.problem == expected.problem)
    #expect(error?.kind == expected.kind)
    #expect(error?.remedy?.isEmpty == false)
  }

  @Test func saysHowToGetAMissingReader() throws {
    let error = #expect(throws: StyleModelError.self) {
      try HDF5Reader(path: "/nonexistent/reader").read([1, 2, 3])
    }
    #expect(error?.kind == .cannotOpen)
    #expect(error?.problem == "cannot be run (No such file or directory)")
    #expect(error?.remedy?.contains("swift build -c release --product stylemodel-hdf5-reader") == true)
  }

  /// The limits are the reader's own too: a file that takes more memory than allowed is refused, and nothing crashes.
  @Test func refusesWhatDoesNotFitIntoItsLimits() throws {
    var reader = try HDF5Reader.installed()
    var limits = HDF5Reader.Limits(fileSize: 1 << 20)
    limits.contentBytes = 1000
    reader.limits = limits
    let bytes = try fixtureBytes("hdf5/state_dict.h5")
    let error = #expect(throws: StyleModelError.self) { try reader.read(bytes) }
    #expect(error?.problem.contains("hold more than the file can justify") == true)
  }
}
