import Dispatch
import Glibc
import Synchronization

/// A number of threads that share out tiles of work.
///
/// Which thread computes a tile is left to chance, so no result may depend on it: tiles write to places of their
/// own, and what is summed over tiles is summed afterwards, in their order.
package struct Workers: Sendable {
  /// The number of threads, at least one.
  package let count: Int

  package init(count: Int) { self.count = count }

  /// As many as are ever used: each costs scratch memory, and a mistyped number must not take all there is.
  package static let greatestCount = 256

  /// The cores of this machine.
  package static var allCores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Calls `work` once for each tile, with the number of the worker that calls: 0 ..< `count`, never the same one
  /// from two threads at once.
  package func forEach(_ tiles: Int, _ work: (_ tile: Int, _ worker: Int) -> Void) {
    guard count > 1, tiles > 1 else {
      for tile in 0..<tiles { work(tile, 0) }
      return
    }
    let next = Atomic(0)
    // Called from several threads, but all of them are done when this function returns.
    nonisolated(unsafe) let work = work
    DispatchQueue.concurrentPerform(iterations: min(count, tiles)) { worker in
      while true {
        let tile = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard tile < tiles else { return }
        work(tile, worker)
      }
    }
  }
}
