package import Countersign
package import FoundationEssentialsCompat

/// The tokens with which apps register themselves: mints and removes them.
package struct RegistrationTokenRegistry: Registry {
    private let administration: Administration

    package init(_ administration: Administration) {
        self.administration = administration
    }

    /// The terms of a token that is about to be minted.
    package struct Terms: Sendable, Equatable {
        /// The terms are invalid.
        package enum TermsError: Error, Sendable, Equatable {
            case uses, lifetime
        }

        /// The possible numbers of apps that register with one token.
        package static let allowedUses = 1...1_000_000
        /// The possible times for which a token is accepted, in seconds: up to a year.
        package static let lifetimes: ClosedRange<TimeInterval> = 1...31_536_000

        let uses: Int
        let lifetime: TimeInterval
        let allowance: RegistrationAllowance

        /// - Parameters:
        ///   - uses: The number of apps that may register with it.
        ///   - lifetime: The time for which it is accepted, in seconds.
        ///   - allowance: The allowance of its apps.
        package init(
            uses: Int, lasting lifetime: TimeInterval, _ allowance: RegistrationAllowance
        ) throws(TermsError) {
            guard Self.allowedUses.contains(uses) else { throw .uses }
            guard Self.lifetimes.contains(lifetime) else { throw .lifetime }
            self.uses = uses
            self.lifetime = lifetime
            self.allowance = allowance
        }
    }

    /// All tokens, the oldest first.
    package func all() async throws -> [InitialAccessToken] {
        try await administration.store.read { try $0.initialAccessTokens.all() }
    }

    /// Mints a token; the token itself is returned here only.
    package func add(_ terms: Terms) async throws -> (record: InitialAccessToken, token: AccessToken) {
        let now = administration.clock.now()
        let secret: AccessToken = administration.mint.secret()
        let record = InitialAccessToken(
            id: administration.mint.number(), token: secret.digest, allowance: terms.allowance, uses: terms.uses,
            created: now, expires: now + terms.lifetime)
        try await change(.initialAccessTokenAdded, of: record.id, at: now) { repositories in
            try repositories.initialAccessTokens.insert(record)
            return true
        }
        return (record, secret)
    }

    /// Removes a token; the apps that registered with it stay. Returns whether it existed.
    package func remove(_ id: InitialAccessToken.ID) async throws -> Bool {
        try await change(.initialAccessTokenRemoved, of: id, at: administration.clock.now()) { repositories in
            try repositories.initialAccessTokens.remove(id)
        }
    }

    @discardableResult
    private func change(
        _ act: AuditAct, of id: InitialAccessToken.ID, at now: Date,
        _ body: @escaping @Sendable (any Repositories) throws -> Bool
    ) async throws -> Bool {
        let facts = administration.administrator.facts(act, at: now, detail: id.rawValue)
        return try await administration.change(.change(.registrationTokens), at: now) { repositories in
            guard try body(repositories) else { return false }
            try Audit(repositories).record(facts)
            return true
        }
    }
}
