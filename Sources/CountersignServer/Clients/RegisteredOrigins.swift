internal import NIOConcurrencyHelpers
internal import FoundationEssentialsCompat

/// The origins of web pages that clients registered.
///
/// They are cached for five seconds, so a new client may have to wait for that time.
final class RegisteredOrigins: OriginRegistry {
    private struct Snapshot {
        var origins: Set<WebOrigin>
        var read: Date
    }

    private let store: any Store
    private let clock: TimeSource
    private let known = NIOLockedValueBox<Snapshot?>(nil)

    /// The maximum age of the origins, in seconds.
    private static let freshness: TimeInterval = 5

    init(of store: any Store, clock: TimeSource) {
        self.store = store
        self.clock = clock
    }

    /// Whether a client registered this origin.
    func contains(_ origin: WebOrigin) async throws -> Bool {
        let now = clock.now()
        if let known = known.withLockedValue({ $0 }), abs(now.timeIntervalSince(known.read)) < Self.freshness {
            return known.origins.contains(origin)
        }
        let origins = try await store.read { repositories in
            Set(try repositories.clients.all().flatMap(\.redirects.webOrigins))
        }
        known.withLockedValue { $0 = Snapshot(origins: origins, read: now) }
        return origins.contains(origin)
    }
}
