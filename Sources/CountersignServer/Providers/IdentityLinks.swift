internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A person whom another provider named; made by ``IdentityLinks`` alone, for an identity that was proved and that is
/// connected with the person.
struct ProvenPerson: Sendable {
    let person: Person
    let identity: ProvenIdentity

    fileprivate init(_ person: Person, by identity: ProvenIdentity) {
        self.person = person
        self.identity = identity
    }
}

/// Connects people with the identities that they have at other providers.
///
/// A person is found by issuer and subject, and by nothing else: neither an e-mail address nor a name ever connects an
/// identity with an account.
struct IdentityLinks: Sendable {
    let store: any Store
    let mint: CodeMint
    let limits: StoredRateLimiter
    let clock: TimeSource

    /// The reason why a verified identity cannot sign in.
    enum LinkingError: Error, Sendable, Equatable {
        /// It is connected with no account, and the provider makes none.
        case notConnected
        /// Its person is locked.
        case locked
        /// It is connected with another account.
        case another
        /// All names that were drawn for a new account were taken.
        case noFreeName
    }

    /// The person of an identity; a new one where the provider's settings allow it.
    ///
    /// - Parameters:
    ///   - identity: The proven identity.
    ///   - provider: The provider that named them.
    ///   - address: The network address of the person or the app, for the limits and the audit.
    ///   - client: The authenticated client that exchanges a token in the person's name; a new account counts for it
    ///     and not for its address, which is that of a backend. `nil` where the person comes themselves.
    /// - Throws: ``LinkingError``; ``RateLimitError``; ``StoreUnavailableError``.
    func person(
        of identity: ProvenIdentity,
        at provider: IdentityProvider,
        from address: String?,
        by client: ClientID? = nil
    ) async throws -> ProvenPerson {
        if let found = try await store.read({ try person(of: identity, in: $0) }) { return found }
        guard provider.makesAccounts else { throw LinkingError.notConnected }
        let made = try await store.retryingOnKeyCollision {
            let fresh = newPerson(of: identity, at: provider)
            return try await store.change { repositories in
                // Another request may have made it in the meantime.
                if let found = try person(of: identity, in: repositories) { return found }
                let rateKey: RateLimitKey =
                    client.map { .client(.newAccountPerClient, $0) } ?? .address(.newAccountPerAddress, address)
                try limits.admitAndCount([rateKey], in: repositories)
                var fresh = fresh
                // An address of two people signs in neither.
                if let address = fresh.verifiedEmail, try People(repositories).holder(of: address) != nil {
                    fresh.changeEmail(to: nil)
                }
                try People(repositories).add(
                    fresh, as: .server, from: address, because: "first sign-in with \(provider.id)")
                try connect(identity, with: fresh.subject, at: fresh.created, from: address, in: repositories)
                return ProvenPerson(fresh, by: identity)
            }
        }
        guard let made else { throw LinkingError.noFreeName }
        return made
    }

    /// The person of an identity; `nil` when it is connected with no account.
    ///
    /// - Throws: ``LinkingError/locked``.
    func person(of identity: ProvenIdentity, in repositories: any Repositories) throws -> ProvenPerson? {
        guard let link = try repositories.identities.find(identity.issuer, identity.subject),
            let person = try repositories.people.find(link.person)
        else { return nil }
        guard person.maySignIn else { throw LinkingError.locked }
        return ProvenPerson(person, by: identity)
    }

    /// Connects an identity with the person who is signed in. Doing it again changes nothing.
    ///
    /// - Throws: ``LinkingError/another``; ``SessionEndedError``; ``StoreUnavailableError``.
    func connect(_ identity: ProvenIdentity, with visitor: SignedInVisitor, from address: String?) async throws {
        let now = clock.now()
        try await store.changeWays(of: visitor, at: now) { repositories in
            if let link = try repositories.identities.find(identity.issuer, identity.subject) {
                guard link.person == visitor.person.subject else { throw LinkingError.another }
                return
            }
            try connect(identity, with: visitor.person.subject, at: now, from: address, in: repositories)
        }
    }

    /// The result of disconnecting an identity.
    enum Disconnection: Sendable, Equatable {
        case done
        /// The person has no such identity.
        case nothing
        /// The person could not sign in any more.
        case lastWay
    }

    /// Disconnects an identity of the person who is signed in, unless it is their last way to sign in.
    func disconnect(
        _ issuer: IdentityIssuer,
        _ subject: String,
        from visitor: SignedInVisitor,
        at address: String?
    ) async throws -> Disconnection {
        let now = clock.now()
        return try await store.changeWays(of: visitor, at: now) { repositories in
            let own = try repositories.identities.all(of: visitor.person.subject)
            guard own.contains(where: { $0.issuer == issuer && $0.subject == subject }) else { return .nothing }
            guard
                try WayToSignIn.identity(issuer, subject)
                    .hasAlternative(for: visitor.person.subject, in: repositories)
            else {
                return .lastWay
            }
            _ = try repositories.identities.remove(issuer, subject)
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: now,
                    .identityDisconnected,
                    by: .person,
                    subject: visitor.person.subject,
                    address: address,
                    detail: issuer.rawValue
                )
            )
            return .done
        }
    }

    private func connect(
        _ identity: ProvenIdentity,
        with person: Subject,
        at now: Date,
        from address: String?,
        in repositories: any Repositories
    ) throws {
        try repositories.identities.insert(
            LinkedIdentity(
                issuer: identity.issuer,
                subject: identity.subject,
                person: person,
                label: identity.label,
                linked: now
            )
        )
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now,
                .identityConnected,
                by: .person,
                subject: person,
                address: address,
                detail: identity.issuer.rawValue
            )
        )
    }

    /// An account for a new person. The user name is random: a name chosen at the provider could equal an
    /// administrator's or a later person's.
    private func newPerson(of identity: ProvenIdentity, at provider: IdentityProvider) -> Person {
        let lot: Subject = mint.identifier()
        let name = Username(rawValue: "\(provider.id)-\(lot.rawValue.lowercased().prefix(12))")
        return Person(
            subject: mint.identifier(),
            username: name,
            name: identity.name ?? name.rawValue,
            email: identity.email,
            isEmailVerified: identity.email != nil,
            password: nil,
            created: clock.now()
        )
    }
}

extension DecidingParty {
    /// A person whom another provider named, in the app that asks.
    static func proven(_ proven: ProvenPerson) -> DecidingParty {
        DecidingParty(approver: ApproverIdentity(subject: proven.person.subject, id: ApproverID("token-exchange")))
    }
}
