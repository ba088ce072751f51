import CFiles
public import Diagnostics
import Glibc

/// Replaces a folder of files as a whole: all files go to a new folder beside it, are synced to disk, and change places with
/// the target only then. Whatever stood there before survives every failure, and goes once its successor is in place.
///
/// An existing folder is replaced only if it holds nothing but what `replaces` says such folders hold, so that a folder
/// of other files, named by mistake, is not lost. A symbolic link is followed.
/// - Parameters:
///   - files: paths within the folder, without `..`, and what they hold.
///   - replaces: whether a folder with this list of names in it, hidden ones left out, may be replaced.
/// - Throws: `.cannotCreate` when the folder cannot be created beside the target or must not be replaced, `.cannotWrite`
///   when writing or renaming fails.
public func replaceFolder(
  _ path: String, with files: [(name: String, bytes: [UInt8])], replaces: ([String]) -> Bool
) throws(StyleModelError) {
  var target = path
  while target.count > 1, target.hasSuffix("/") { target.removeLast() }
  let exists = isThere(target)
  if exists {
    guard isFolder(target) else {
      throw StyleModelError(
        .cannotCreate, file: path, "exists and is a file, where a folder is to be written",
        remedy: "remove it, or name another output")
    }
    guard replaces(try listFolder(target)) else {
      throw StyleModelError(
        .cannotCreate, file: path, "is a folder that holds other files, which would be lost",
        remedy: "name another output")
    }
    target = resolved(target)
  }
  var template = Array((folder(of: target) + "/.stylemodel-XXXXXX").utf8CString)
  guard mkdtemp(&template) != nil else {
    throw StyleModelError(
      .cannotCreate, file: path, "cannot be created (\(systemErrorText(errno)))",
      remedy: "check that the folder exists and can be written to")
  }
  let temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  do throws(StyleModelError) {
    try fill(temporary, with: files, as: path)
    try put(temporary, in: target, exists: exists, as: path)
  } catch {
    removeTree(temporary)
    throw error
  }
}

/// Writes all files into a new folder, with the permissions that the umask leaves.
private func fill(
  _ temporary: String, with files: [(name: String, bytes: [UInt8])], as path: String
) throws(StyleModelError) {
  func failure(_ number: Int32) -> StyleModelError {
    StyleModelError(
      .cannotWrite, file: path, "cannot be written (\(systemErrorText(number)))",
      remedy: "nothing was changed; check the disk")
  }
  let mask = umask(0)
  umask(mask)
  guard chmod(temporary, 0o777 & ~mask) == 0 else { throw failure(errno) }
  for (name, bytes) in files {
    var parent = temporary
    for part in name.split(separator: "/").dropLast() {
      parent += "/" + part
      guard mkdir(parent, 0o777) == 0 || errno == EEXIST else { throw failure(errno) }
    }
    let descriptor = open(temporary + "/" + name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(errno) }
    var problem = writeAll(bytes, to: descriptor)
    if problem == 0, fsync(descriptor) != 0 { problem = errno }
    close(descriptor)
    guard problem == 0 else { throw failure(problem) }
  }
}

/// Puts the new folder in the target's place. Where the file system can, both change places in one step; elsewhere the old
/// one steps aside first, and back again if the new one cannot follow.
private func put(
  _ temporary: String, in target: String, exists: Bool, as path: String
) throws(StyleModelError) {
  func failure(_ number: Int32) -> StyleModelError {
    StyleModelError(
      .cannotWrite, file: path, "cannot be replaced (\(systemErrorText(number)))",
      remedy: "nothing was changed")
  }
  guard exists else {
    guard rename(temporary, target) == 0 else { throw failure(errno) }
    return
  }
  if cf_exchange(temporary, target) == 0 {
    removeTree(temporary)
    return
  }
  let aside = temporary + ".old"
  guard rename(target, aside) == 0 else { throw failure(errno) }
  guard rename(temporary, target) == 0 else {
    let number = errno
    rename(aside, target)
    throw failure(number)
  }
  removeTree(aside)
}

/// Removes a folder with all that is in it; links are removed, not followed.
private func removeTree(_ path: String) {
  guard !isSymbolicLink(path), isFolder(path), let handle = opendir(path) else {
    unlink(path)
    return
  }
  var names: [String] = []
  while let entry = readdir(handle) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
  }
  closedir(handle)
  for name in names { removeTree(path + "/" + name) }
  rmdir(path)
}

private func isThere(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0
}
