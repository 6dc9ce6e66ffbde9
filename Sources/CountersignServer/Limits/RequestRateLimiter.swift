internal import NIOConcurrencyHelpers
internal import FoundationEssentialsCompat

/// Counts frequent requests in memory, and enforces their limits across all nodes.
///
/// Every second each node adds its counts to the store and reads the totals, so a limit may be exceeded by the requests
/// of one second. Keys with few requests are never stored.
final class RequestRateLimiter: Sendable {
    /// The maximum number of keys; a dropped key starts at zero again.
    static let capacity = 100_000
    /// The share of the limit from which a count is shared.
    private static let worthSharing = 0.05

    private struct Window {
        /// The last known total of all nodes, including the shared part of this node.
        var shared = 0
        /// The count of this node since then.
        var fresh = 0
        var ends: Date

        var times: Int { shared + fresh }
    }

    private let limits: StoredRateLimiter
    private let store: any Store
    private let windows = NIOLockedValueBox<[RateLimitKey: Window]>([:])

    init(_ limits: StoredRateLimiter, sharingIn store: any Store) {
        self.limits = limits
        self.store = store
    }

    /// The number of keys that are counted right now.
    var count: Int { windows.withLockedValue { $0.count } }

    /// Counts one more request, or refuses it.
    ///
    /// - Throws: ``RateLimitError``.
    func admit(_ rateKey: RateLimitKey) throws {
        for rateKey in rateKey.withWider { try admitOne(rateKey) }
    }

    private func admitOne(_ rateKey: RateLimitKey) throws {
        guard let limit = limits.limits[rateKey] else { return }
        let now = limits.clock.now()
        let end: Date? = windows.withLockedValue { windows in
            var window = windows[rateKey] ?? Window(ends: .distantPast)
            if !RateCounter.isCurrent(until: window.ends, lasting: Double(limit.seconds), at: now) {
                window = Window(ends: now + Double(limit.seconds))
                if windows.count >= Self.capacity { Self.makeRoom(in: &windows, at: now) }
            }
            guard window.times < limit.most else { return window.ends }
            window.fresh += 1
            windows[rateKey] = window
            return nil
        }
        if let end { throw RateLimitError(rateKey.rule, until: end, at: now) }
    }

    /// Starts keys at zero again at this node.
    func forget(_ rateKeys: [RateLimitKey]) {
        windows.withLockedValue { windows in
            for rateKey in rateKeys { windows[rateKey] = nil }
        }
    }

    /// Adds this node's counts to the store, and reads the totals.
    func share() async throws {
        let now = limits.clock.now()
        let due = windows.withLockedValue { windows -> [(RateLimitKey, Limit, Int)] in
            if windows.contains(where: { $0.value.ends <= now }) { windows = windows.filter { $0.value.ends > now } }
            return windows.compactMap { rateKey, window in
                guard let limit = limits.limits[rateKey], window.fresh > 0,
                    Double(window.times) >= Double(limit.most) * Self.worthSharing
                else { return nil }
                return (rateKey, limit, window.fresh)
            }
        }
        // In small batches, so that no other change waits long.
        for start in stride(from: 0, to: due.count, by: 200) {
            let some = Array(due[start..<min(start + 200, due.count)])
            let totals = try await store.change { [limits] repositories in
                try some.map { rateKey, limit, fresh in
                    try limits.count(fresh, to: rateKey, limit, in: repositories)
                }
            }
            windows.withLockedValue { windows in
                for ((rateKey, _, shared), total) in zip(some, totals) {
                    guard var window = windows[rateKey] else { continue }
                    window.fresh -= min(shared, window.fresh)
                    window.shared = total.times
                    window.ends = total.ends
                    windows[rateKey] = window
                }
            }
        }
    }

    private static func makeRoom(in windows: inout [RateLimitKey: Window], at now: Date) {
        windows = windows.filter { $0.value.ends > now }
        guard windows.count >= capacity else { return }
        // Drops the less frequent half of the keys, so that this is rarely needed.
        let median = windows.values.map(\.times).sorted()[capacity / 2]
        windows = windows.filter { $0.value.times > median }
    }
}
