internal import NIOConcurrencyHelpers

/// Keeps pairings as long as the process runs.
public final class MemoryPairingStore: PairingStore {
    private let book = NIOLockedValueBox(PairingBook())

    /// A store without pairings.
    public init() {}

    /// Reads the stored pairings; never fails.
    public func read() -> PairingBook { book.withLockedValue { $0 } }

    /// Changes the stored pairings; never fails.
    ///
    /// - Parameter change: Changes the book.
    public func change(_ change: (inout PairingBook) -> Void) { book.withLockedValue { change(&$0) } }
}
