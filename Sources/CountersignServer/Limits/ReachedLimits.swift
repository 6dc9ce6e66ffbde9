package import FoundationEssentialsCompat

/// A limit that a party has reached, which holds the party back.
package struct ReachedLimit: Sendable, Equatable {
    /// The limit.
    package let rule: LimitRule
    /// The limit that was in force when it was reached; that of a large network is a multiple.
    package let limit: Limit
    /// The party that is held back.
    package let party: LimitedParty
    /// The number of counted attempts.
    package let times: Int
    /// The end of the delay or the refusal.
    package let end: Date
}

/// The limits that hold somebody back now.
///
/// Counts are stored under digests, so that the store has no names that strangers tried. The audit names the parties that
/// reached a limit: an address, a person or a client. So numbers, e-mail addresses, names that nobody has, and people
/// whose second factor is guessed are not found.
package struct ReachedLimits {
    /// The longest span of a limit, in seconds, and the age of the oldest audit entries that are read.
    private static let longestSpan: TimeInterval = 86_400
    /// The usual maximum number of audit entries that are read.
    package static let mostEntries = 100_000
    /// The number of audit entries that are read at once.
    private static let page = 1_000

    private let repositories: any Repositories
    private let clock: TimeSource

    package init(_ repositories: any Repositories, clock: TimeSource) {
        self.repositories = repositories
        self.clock = clock
    }

    /// Finds all of them, the last reached first.
    ///
    /// - Parameters:
    ///   - most: The maximum number of audit entries that are read.
    ///   - limit: The maximum number of parties to find; all by default.
    /// - Throws: errors of the store.
    package func all(searching most: Int = mostEntries, limit: Int = .max) throws -> [ReachedLimit] {
        let now = clock.now()
        var found: [ReachedLimit] = []
        var seen: Set<Entry.Key> = []
        var (number, read) = (Int.max, 0)
        while read < most, found.count < limit,
            case let page = try repositories.audit.entries(before: number, limit: Self.page), let last = page.last
        {
            for entry in page.compactMap(Entry.init) where found.count < limit && seen.insert(entry.key).inserted {
                found += try parties(of: entry).compactMap { try reached(entry.rule, entry.limit, $0, at: now) }
            }
            guard last.facts.at > now - Self.longestSpan else { break }
            (number, read) = (last.number, read + page.count)
        }
        return Array(found.prefix(limit))
    }

    /// The parties that an entry may name; one of them for everything but a calling code, which no entry names.
    private func parties(of entry: Entry) -> [LimitedParty] {
        if let party = entry.party { return [party] }
        switch entry.rule.partyKind {
        case .everybody: return [.everybody]
        case .callingCode: return (1...999).map { .receiver("\($0)") }
        case .network, .person, .client, .source, .number, .emailAddress, .secret: return []
        }
    }

    /// The limit as the party has reached it; `nil` when it does not hold the party back.
    private func reached(
        _ rule: LimitRule, _ limit: Limit, _ party: LimitedParty, at now: Date
    ) throws -> ReachedLimit? {
        var limits = Limits()
        limits[rule] = limit
        let limiter = StoredRateLimiter(limits: limits, clock: clock)
        var (times, end): (Int, Date?) = (0, nil)
        for key in try RateLimitKey.all(rule, of: party, in: repositories) {
            guard let due = try limiter.end(of: key, in: repositories, at: now), due > now else { continue }
            let count = try repositories.counts.find(key.countKey)?.times(lasting: Double(limit.seconds), at: now)
            times = max(times, count ?? 0)
            end = max(end ?? due, due)
        }
        return end.map { ReachedLimit(rule: rule, limit: limit, party: party, times: times, end: $0) }
    }
}

extension ReachedLimits {
    /// An audit entry about a reached limit.
    private struct Entry {
        /// The identity of the counts that it is about.
        struct Key: Hashable {
            let rule: LimitRule
            let party: LimitedParty?
        }

        let rule: LimitRule
        let limit: Limit
        /// The party that it names; `nil` for none.
        let party: LimitedParty?

        var key: Key { Key(rule: rule, party: party) }

        /// Reads an entry; `nil` for one about something else.
        init?(_ entry: AuditEntry) {
            let facts = entry.facts
            let words = (facts.detail ?? "").split(separator: " ")
            guard facts.act == .limitReached, words.count == 2, let rule = LimitRule(rawValue: String(words[0])),
                let limit = Limit(parsing: String(words[1]))
            else { return nil }
            self.rule = rule
            self.limit = limit
            party =
                switch (facts.subject, facts.client) {
                case (let subject?, let client?): .source(client, subject)
                case (let subject?, nil): .person(subject)
                case (nil, let client?): .client(client)
                case (nil, nil): facts.address.map { .network($0) }
                }
        }
    }
}
