internal import NIOConcurrencyHelpers

/// The keys whose items may have changed, for screens that show or use what is kept.
///
/// ```swift
/// for await key in store.changes where key == .signIn(at: issuer, as: client) {
///     screen.show(try await store.signedIn(for: key))
/// }
/// ```
public struct TokenStoreChanges: AsyncSequence, Sendable {
    /// The key of an item.
    public typealias Element = TokenStoreKey

    /// Returns the keys one after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: AsyncStream<TokenStoreKey>.Iterator

        init(_ base: AsyncStream<TokenStoreKey>.Iterator) {
            self.base = base
        }

        /// Returns the next key; `nil` when the store is gone or the task is cancelled.
        public mutating func next() async -> TokenStoreKey? {
            await base.next()
        }
    }

    private let stream: AsyncStream<TokenStoreKey>

    /// The changes of a store that an app writes itself.
    ///
    /// - Parameter stream: Yields the key of each item that changed, and finishes with the store.
    public init(_ stream: AsyncStream<TokenStoreKey>) {
        self.stream = stream
    }

    /// Begins to read the changes.
    ///
    /// - Returns: An iterator over those that come from now on.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream.makeAsyncIterator())
    }
}

/// Tells every observer of a store which items changed.
package final class TokenStoreAnnouncer: Sendable {
    private struct State {
        var watchers: [Int: AsyncStream<TokenStoreKey>.Continuation] = [:]
        var watchersEver = 0
    }

    /// More than a watcher that still reads leaves waiting; the oldest of a longer queue are dropped.
    private static let longestQueue = 1024

    private let state = NIOLockedValueBox(State())

    package init() {}

    deinit {
        for watcher in state.withLockedValue(\.watchers).values { watcher.finish() }
    }

    /// A new observer.
    package func watch() -> TokenStoreChanges {
        let (stream, watcher) = AsyncStream.makeStream(
            of: TokenStoreKey.self,
            bufferingPolicy: .bufferingNewest(Self.longestQueue)
        )
        let number = state.withLockedValue { state in
            state.watchersEver += 1
            state.watchers[state.watchersEver] = watcher
            return state.watchersEver
        }
        watcher.onTermination = { [weak self] _ in
            self?.state.withLockedValue { state in _ = state.watchers.removeValue(forKey: number) }
        }
        return TokenStoreChanges(stream)
    }

    /// Tells every watcher that the item under `key` may have changed.
    package func announce(_ key: TokenStoreKey) {
        for watcher in state.withLockedValue(\.watchers).values { watcher.yield(key) }
    }
}
