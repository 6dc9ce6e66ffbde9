internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Remembers an issuer's keys, and decides when they are fetched.
///
/// A key that is not known is looked for at the issuer, since keys are replaced; but not for each token that names one,
/// since anybody can make such tokens up.
struct KeyMemory: Sendable {
    /// How long keys are used before they are looked for again, in seconds.
    static let freshFor: TimeInterval = 600
    /// How long they are used while the issuer cannot be reached.
    static let usableFor: TimeInterval = 3600
    /// The rest after keys were fetched for the sake of one that is not known.
    static let restAfterSearch: TimeInterval = 10
    /// The rest after an attempt that failed.
    static let restAfterFailure: TimeInterval = 2

    /// What is done about one token.
    enum Step: Equatable {
        case use(JSONWebKey)
        /// The keys are fetched; then ``afterFetching(for:named:at:)`` tells what is done.
        case fetch
        /// The issuer has no such key.
        case unknown
        /// Nobody knows now whether the issuer has such a key.
        case unavailable
    }

    private var keys: JSONWebKeySet?
    /// When the keys were fetched that are remembered.
    private var fetched: Date?
    /// When they were fetched for a key that was not known.
    private var searched: Date?
    /// When an attempt failed, if it was the last.
    private var failed: Date?

    /// What is done about a token that names this key.
    mutating func step(for algorithm: SigningAlgorithm, named id: JSONWebKey.ID?, at now: Date) -> Step {
        let mayFetch = !isWithin(Self.restAfterFailure, since: failed, at: now)
        guard isWithin(Self.usableFor, since: fetched, at: now), let keys else {
            return mayFetch ? .fetch : .unavailable
        }
        if let key = keys.key(for: algorithm, named: id) {
            return mayFetch && !isWithin(Self.freshFor, since: fetched, at: now) ? .fetch : .use(key)
        }
        guard mayFetch else { return .unavailable }
        guard !isWithin(Self.restAfterSearch, since: searched, at: now) else { return .unknown }
        searched = now
        return .fetch
    }

    /// What is done about the same token once the keys were fetched, or could not be.
    func afterFetching(for algorithm: SigningAlgorithm, named id: JSONWebKey.ID?, at now: Date) -> Step {
        guard isWithin(Self.usableFor, since: fetched, at: now), let keys else { return .unavailable }
        if let key = keys.key(for: algorithm, named: id) { return .use(key) }
        return failed == nil ? .unknown : .unavailable
    }

    mutating func remember(_ keys: JSONWebKeySet, at now: Date) {
        self.keys = keys
        fetched = now
        failed = nil
    }

    mutating func noteFailure(at now: Date) {
        failed = now
        // Nothing was learned of the key that was looked for.
        searched = nil
    }

    /// Whether less than `span` has passed since `instant`. A clock that was set back says no.
    private func isWithin(_ span: TimeInterval, since instant: Date?, at now: Date) -> Bool {
        guard let instant else { return false }
        return (0..<span).contains(now.timeIntervalSince(instant))
    }
}
