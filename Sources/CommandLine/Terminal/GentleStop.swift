import Dispatch
import Files
import Glibc
import Synchronization

// What the signal handler tells the thread that waits for it, in memory that is there before.
private let stopSignal = Atomic<Int32>(0)
private nonisolated(unsafe) let stopWakeUp = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

/// Lets work that can be resumed end at a good moment when the process is told to end: the piece in hand has two seconds
/// to come to its end, and is dropped then. What is done is saved, and the process ends by the signal, as one that does
/// not care would: who runs it sees that it did not finish.
///
/// One at a time; it takes the place of `tidyUpOnSignals`, whose work it does too.
final class GentleStop: Sendable {
  private let save: @Sendable () -> Void
  private let hasEnded = Atomic(false)
  private let ending = Mutex(())

  /// How long the piece in hand may go on, in seconds: engines send SIGKILL after ten and more.
  private static let patience = 2.0

  /// From now on SIGTERM, SIGINT and SIGHUP stop the work gently, where they are not ignored.
  /// - Parameter save: saves what is done; called on any thread, once.
  init(save: @escaping @Sendable () -> Void) {
    self.save = save
    sem_init(stopWakeUp, 0, 0)
    stopSignal.store(0, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number) { number in
        // Only calls that are safe in a signal handler.
        stopSignal.store(number, ordering: .releasing)
        sem_post(stopWakeUp)
      }
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
    DispatchQueue.global(qos: .userInitiated).async { [self] in
      while sem_wait(stopWakeUp) != 0, errno == EINTR {}
      guard !hasEnded.load(ordering: .acquiring) else { return }
      let deadline = DispatchTime.now() + Self.patience
      while DispatchTime.now() < deadline, !hasEnded.load(ordering: .acquiring) { usleep(20_000) }
      end()
    }
  }

  /// Whether the process has been told to end.
  var isWanted: Bool { stopSignal.load(ordering: .acquiring) != 0 }

  /// To be called when the work has come to its end, or has stopped because that was wanted: then the process ends here.
  func finishWork() {
    if isWanted { end() }
    hasEnded.store(true, ordering: .releasing)
    sem_post(stopWakeUp)
    tidyUpOnSignals()
  }

  /// Saves, and ends the process. Whoever comes second waits for that.
  private func end() {
    ending.withLock { _ in
      guard !hasEnded.load(ordering: .acquiring) else { return }
      save()
      removeUnfinishedFile()
      let number = stopSignal.load(ordering: .acquiring)
      signal(number, SIG_DFL)
      raise(number)
      // Another thread may have the signal blocked; the status says the same.
      _exit(128 + number)
    }
  }
}
