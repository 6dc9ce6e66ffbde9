#if PostgreSQL
internal import CountersignServer
internal import NIOConcurrencyHelpers

/// Those who want to hear what changes.
final class Followers: Sendable {
    private let all = NIOLockedValueBox<[@Sendable ([StoreNews]) -> Void]>([])

    func add(_ hear: @escaping @Sendable ([StoreNews]) -> Void) {
        all.withLockedValue { $0.append(hear) }
    }

    /// Tells everybody; the writer and the line from other nodes take turns.
    func tell(_ news: [StoreNews]) {
        guard !news.isEmpty else { return }
        all.withLockedValue { all in
            for hear in all { hear(news) }
        }
    }
}
#endif
