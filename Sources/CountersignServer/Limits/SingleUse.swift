internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The one use of something that may be used once, remembered by its digest in the store that all nodes share.
///
/// It is remembered until it is too old to be used, so that a restart makes nothing usable again.
struct SingleUse: Sendable, Equatable {
    private let key: RateCounterKey
    private let ends: Date

    /// The maximum difference between the clocks of two nodes, in seconds: what one takes for too old, another may
    /// still accept.
    private static let tolerance: TimeInterval = 60

    /// - Parameters:
    ///   - name: The kind of use.
    ///   - digest: The digest that tells it from all others of its kind.
    ///   - ends: The time when it becomes too old to be used.
    init(_ name: CounterName, of digest: SecretDigest, until ends: Date) {
        key = RateCounterKey(name, of: URLSafeText.encode(digest.bytes))
        self.ends = ends + Self.tolerance
    }

    /// Notes the use in a change of its own; `false` when it was used before.
    func isFirst(in store: any Store, at now: Date) async throws -> Bool {
        try await store.change { try isFirst(in: $0, at: now) }
    }

    /// Notes the use in a change; `false` when it was used before.
    func isFirst(in repositories: any Repositories, at now: Date) throws -> Bool {
        // A span that ends late counts too: it may have begun before the clock was set back.
        if let earlier = try repositories.counts.find(key), earlier.ends > now { return false }
        _ = try repositories.counts.add(1, to: key, lasting: max(ends.timeIntervalSince(now), Self.tolerance), at: now)
        return true
    }
}
