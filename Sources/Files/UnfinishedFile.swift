import Glibc
import Synchronization

// The file that is being written beside its target, if there is one, as a signal handler can find it: in memory that
// was allocated before, its name complete before `isThere` says so.
private nonisolated(unsafe) let name = UnsafeMutablePointer<CChar>.allocate(capacity: Int(PATH_MAX))
private let isThere = Atomic(false)
private let isOwned = Atomic(false)

/// Makes the unfinished file known for as long as `body` runs. One file at a time: a second one, written by another
/// thread meanwhile, is not known.
func withUnfinishedFile<Result>(_ path: String, _ body: () -> Result) -> Result {
  let bytes = path.utf8CString
  guard bytes.count <= Int(PATH_MAX),
    isOwned.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
  else { return body() }
  bytes.withUnsafeBufferPointer { source in
    if let base = source.baseAddress { name.update(from: base, count: source.count) }
  }
  isThere.store(true, ordering: .releasing)
  defer {
    isThere.store(false, ordering: .releasing)
    isOwned.store(false, ordering: .releasing)
  }
  return body()
}

/// Gets what `removeUnfinishedFile` needs ready; call it before that is made part of a signal handler.
public func prepareToRemoveUnfinishedFile() { withUnfinishedFile("") {} }

/// Removes the file that `replaceFile` is writing at this moment beside its target, for a process that is about to end.
/// Safe in a signal handler.
public func removeUnfinishedFile() {
  if isThere.load(ordering: .acquiring) { unlink(name) }
}
