package import FoundationEssentialsCompat

/// Caches an issuer's keys, and decides when they are fetched again.
///
/// A token that names an unknown key makes the cache ask the issuer, since keys are replaced. This happens every ten
/// seconds at most, since such tokens are easily forged.
package struct JWKSCache: Sendable {
    /// The most keys of a set; a larger one is refused.
    package static let mostKeys = 100
    /// The time that keys are used before they are fetched again, in seconds, as this server's `Cache-Control` allows.
    /// No request waits for that fetch.
    package static let freshFor: TimeInterval = 300
    /// The longest time that keys are used, while they are fetched again or the issuer cannot be reached, in seconds.
    package static let usableFor: TimeInterval = 3600
    /// The shortest time between two fetches for unknown keys, in seconds.
    package static let searchInterval: TimeInterval = 10
    /// The pause after a failed fetch, in seconds.
    package static let pauseAfterFailure: TimeInterval = 2

    /// The next step for one token.
    package enum Step: Equatable {
        case use(VerificationKey)
        /// Use this key, and fetch the keys again meanwhile: they are no longer new.
        case useAndFetch(VerificationKey)
        /// Fetch the keys; then ask ``afterFetching(for:named:at:)``.
        case fetch
        /// The issuer has no such key.
        case unknown
        /// It is unknown now whether the issuer has such a key.
        case unavailable
    }

    private var keys: JSONWebKeySet?
    /// The time when the cached keys were fetched.
    private var fetched: Date?
    /// The time when they were last fetched for an unknown key.
    private var searched: Date?
    /// The time when the last fetch failed; `nil` when it did not.
    private var failed: Date?

    /// A cache that is empty.
    package init() {}

    /// Returns the next step for a token that names this key.
    package mutating func step(for algorithm: SigningAlgorithm, named id: JSONWebKey.ID?, at now: Date) -> Step {
        let mayFetch = !isWithin(Self.pauseAfterFailure, since: failed, at: now)
        guard isWithin(Self.usableFor, since: fetched, at: now), let keys else {
            return mayFetch ? .fetch : .unavailable
        }
        if let key = keys.key(for: algorithm, named: id) {
            return mayFetch && !isWithin(Self.freshFor, since: fetched, at: now) ? .useAndFetch(key) : .use(key)
        }
        guard mayFetch else { return .unavailable }
        guard !isWithin(Self.searchInterval, since: searched, at: now) else { return .unknown }
        searched = now
        return .fetch
    }

    /// Returns the next step for the same token after a fetch, whether it worked or failed.
    package func afterFetching(for algorithm: SigningAlgorithm, named id: JSONWebKey.ID?, at now: Date) -> Step {
        // Keys that were fetched just now are good, whichever caller read the time first.
        guard failed == nil || isWithin(Self.usableFor, since: fetched, at: now), let keys else { return .unavailable }
        if let key = keys.key(for: algorithm, named: id) { return .use(key) }
        return failed == nil ? .unknown : .unavailable
    }

    /// Caches fetched keys.
    package mutating func put(_ keys: JSONWebKeySet, at now: Date) {
        self.keys = keys
        fetched = now
        failed = nil
    }

    /// Records that a fetch failed.
    package mutating func noteFailure(at now: Date) {
        failed = now
        // Nothing was learned of the key that was looked for.
        searched = nil
    }

    /// Whether less than `span` has passed since `instant`. `false` after the clock was set back.
    private func isWithin(_ span: TimeInterval, since instant: Date?, at now: Date) -> Bool {
        guard let instant else { return false }
        return (0..<span).contains(now.timeIntervalSince(instant))
    }
}
