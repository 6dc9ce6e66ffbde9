internal import FoundationEssentialsCompat

/// The single use of a credential, recorded by its digest in the shared store.
///
/// The record lasts until the credential expires, also across restarts.
struct SingleUse: Sendable, Equatable {
    private let key: RateCounterKey
    private let ends: Date

    /// The maximum difference between the clocks of two nodes, in seconds.
    private static let tolerance: TimeInterval = 60

    /// - Parameters:
    ///   - name: The kind of use.
    ///   - digest: The digest of the credential.
    ///   - ends: The expiry of the credential.
    init(_ name: CounterName, of digest: SecretDigest, until ends: Date) {
        key = RateCounterKey(name, of: URLSafeText.encode(digest.bytes))
        self.ends = ends + Self.tolerance
    }

    /// Records the use in a separate change; `false` when it was used before.
    func isFirst(in store: any Store, at now: Date) async throws -> Bool {
        try await store.change { try isFirst(in: $0, at: now) }
    }

    /// Records the use in a change; `false` when it was used before.
    func isFirst(in repositories: any Repositories, at now: Date) throws -> Bool {
        // A span with a late end counts too, since the clock may have been set back.
        if let earlier = try repositories.counts.find(key), earlier.ends > now { return false }
        _ = try repositories.counts.add(1, to: key, lasting: max(ends.timeIntervalSince(now), Self.tolerance), at: now)
        return true
    }
}
