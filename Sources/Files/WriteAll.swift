import Glibc

/// Writes all of `bytes` to an open descriptor, whatever the pieces that the system takes them in.
/// - Returns: 0, or the system's error number.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  bytes.withUnsafeBytes { buffer in
    var done = 0
    while done < buffer.count {
      let wrote = write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
      if wrote < 0, errno == EINTR { continue }
      if wrote < 0 { return errno }
      done += wrote
    }
    return 0
  }
}
