internal import NIOConcurrencyHelpers

/// Keeps pairings as long as the process runs.
public final class MemoryPairingStore: PairingStore {
    private let book = NIOLockedValueBox(PairingBook())

    /// A store without pairings.
    public init() {}

    /// Reads what is kept; never fails.
    public func read() -> PairingBook {
        book.withLockedValue { $0 }
    }

    /// Changes what is kept; never fails.
    ///
    /// - Parameter change: Changes the book.
    public func change(_ change: (inout PairingBook) -> Void) {
        book.withLockedValue { change(&$0) }
    }
}
