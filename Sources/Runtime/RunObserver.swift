/// Who is told what happens while a picture is computed.
public struct RunObserver {
  /// Is told how much of the picture is done, from 0 to 1, by the thread that called `run`; often enough for a progress
  /// bar.
  public var progress: (Double) -> Void
  /// Is told at the end what overflowed first in half precision; not called when nothing did.
  public var overflow: (HalfOverflow) -> Void

  /// Creates an observer.
  public init(
    progress: @escaping (Double) -> Void = { _ in }, overflow: @escaping (HalfOverflow) -> Void = { _ in }
  ) {
    self.progress = progress
    self.overflow = overflow
  }
}
