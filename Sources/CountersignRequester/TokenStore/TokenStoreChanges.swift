internal import NIOConcurrencyHelpers

/// The keys whose items may have changed, for code that shows or uses the items.
///
/// ```swift
/// for await key in store.changes where key.kind == .signIn { await screen.reload(key) }
/// ```
public struct TokenStoreChanges: AsyncSequence, Sendable {
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

    /// Creates a sequence from a stream, for an app's own store.
    ///
    /// - Parameter stream: The keys whose items may have changed.
    public init(_ stream: AsyncStream<TokenStoreKey>) {
        self.stream = stream
    }

    /// Returns an iterator over the keys.
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

    /// The number of keys that are kept for an observer that does not read them; older ones are dropped.
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

    /// Tells all observers that the item under `key` may have changed.
    package func announce(_ key: TokenStoreKey) {
        for watcher in state.withLockedValue(\.watchers).values { watcher.yield(key) }
    }
}
