internal import NIOConcurrencyHelpers

/// The keys whose items may have changed, for whoever shows or uses what is kept there.
public struct TokenStoreChanges: AsyncSequence, Sendable {
    public typealias Element = TokenStoreKey

    /// Gives the keys one after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: AsyncStream<TokenStoreKey>.Iterator

        init(_ base: AsyncStream<TokenStoreKey>.Iterator) {
            self.base = base
        }

        /// The next key; `nil` when the store is gone or the task is cancelled.
        public mutating func next() async -> TokenStoreKey? {
            await base.next()
        }
    }

    private let stream: AsyncStream<TokenStoreKey>

    /// What comes out of `stream`, for stores that apps write themselves.
    public init(_ stream: AsyncStream<TokenStoreKey>) {
        self.stream = stream
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream.makeAsyncIterator())
    }
}

/// Tells every watcher of a store which items changed.
package final class TokenStoreAnnouncer: Sendable {
    private struct State {
        var watchers: [Int: AsyncStream<TokenStoreKey>.Continuation] = [:]
        var watchersEver = 0
    }

    /// More than a watcher who still watches leaves waiting; of a longer queue the oldest are dropped.
    private static let longestQueue = 1024

    private let state = NIOLockedValueBox(State())

    package init() {}

    deinit {
        for watcher in state.withLockedValue(\.watchers).values { watcher.finish() }
    }

    /// A new watcher.
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

    /// Tells everybody that the item under `key` may have changed.
    package func announce(_ key: TokenStoreKey) {
        for watcher in state.withLockedValue(\.watchers).values { watcher.yield(key) }
    }
}
