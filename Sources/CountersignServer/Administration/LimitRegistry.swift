internal import Countersign
internal import FoundationEssentialsCompat

/// The limits that hold somebody back: lists them, and lifts one for a party.
package struct LimitRegistry: Registry {
    private let administration: Administration

    package init(_ administration: Administration) {
        self.administration = administration
    }

    /// A party that a limit holds back, with the name that an operator gives it.
    package struct HeldParty: Sendable, Equatable {
        /// The limit as the party has reached it.
        package let reached: ReachedLimit
        /// The words that name the party; none for everybody.
        package let words: [String]

        fileprivate init(_ reached: ReachedLimit, in repositories: any Repositories) throws {
            func name(_ subject: Subject) throws -> String {
                try repositories.people.find(subject)?.username.rawValue ?? subject.rawValue
            }
            self.reached = reached
            words =
                switch reached.party {
                case .everybody: []
                case .network(let network): [network]
                case .person(let subject): [try name(subject)]
                case .client(let client): [client.rawValue]
                case .source(let client, let subject): [client.rawValue, try name(subject)]
                case .receiver(let receiver): [receiver]
                }
        }
    }

    /// The limit is also counted in the memory of the servers, and no memory was given.
    package struct RememberedLimitError: Error {}

    /// Finds the parties that are held back now, the last one first.
    ///
    /// - Parameters:
    ///   - most: The maximum number of audit entries that are read; see ``ReachedLimits``.
    ///   - limit: The maximum number of parties to find; all by default.
    package func held(
        searching most: Int = ReachedLimits.mostEntries, limit: Int = .max
    ) async throws -> [HeldParty] {
        try await administration.store.read { [administration] repositories in
            try ReachedLimits(repositories, clock: administration.clock).all(searching: most, limit: limit)
                .map { try HeldParty($0, in: repositories) }
        }
    }

    /// Removes the counts of a limit for a party, which may go on at once; returns whether there were any.
    ///
    /// - Parameters:
    ///   - rule: The limit.
    ///   - party: The party.
    ///   - memory: The memory of the server that lifts it; `nil`, the default, for the command, which has none.
    /// - Throws: ``RememberedLimitError``; errors of the store.
    package func lift(_ rule: LimitRule, of party: LimitedParty, in memory: LimitMemory? = nil) async throws -> Bool {
        guard !rule.isRemembered || memory != nil else { throw RememberedLimitError() }
        let now = administration.clock.now()
        let facts = facts(rule, party, at: now)
        let lifted = try await administration.change(.change(.limits), at: now) { repositories -> [RateLimitKey] in
            let removed = try RateLimitKey.all(rule, of: party, in: repositories).filter { key in
                try repositories.counts.remove(key.countKey)
            }
            if !removed.isEmpty { try Audit(repositories).record(facts) }
            return removed
        }
        memory?.forget(lifted)
        return !lifted.isEmpty
    }

    private func facts(_ rule: LimitRule, _ party: LimitedParty, at now: Date) -> AuditEntry.Facts {
        let (administrator, detail) = (administration.administrator, Self.detail(rule, party))
        return switch party {
        case .everybody, .network, .receiver: administrator.facts(.limitLifted, at: now, detail: detail)
        case .client(let client): administrator.facts(.limitLifted, at: now, client: client, detail: detail)
        case .person(let subject): administrator.facts(.limitLifted, on: subject, at: now, detail: detail)
        case .source(let client, let subject):
            administrator.facts(.limitLifted, on: subject, client: client, at: now, detail: detail)
        }
    }

    /// The name of the limit, and the network; of a number only the calling code and the last digits.
    private static func detail(_ rule: LimitRule, _ party: LimitedParty) -> String {
        switch party {
        case .everybody, .client, .person, .source: return rule.rawValue
        case .network(let network): return "\(rule.rawValue) \(network)"
        case .receiver(let receiver):
            if rule.partyKind == .callingCode { return "\(rule.rawValue) +\(receiver)" }
            guard let number = try? PhoneNumber(receiver) else { return rule.rawValue }
            return "\(rule.rawValue) \(number.masked)"
        }
    }
}
