internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A device asks for its token for one domain with its own credentials. The token is for the person who signed it in
/// for that domain, or for no person.
///
/// A device that a person signed in for one domain gets no token in their name for another.
/// Standard: ETSI TS 103 407 §8.4.1.1, §8.4.1.3.
struct CrossPlatformClientGrant: Sendable {
    let store: any Store
    let tokens: TokenIssuer
    let policy: Policy
    let clock: TimeSource

    /// The person whom the token is issued for, if any.
    private enum Holder: Sendable {
        case nobody
        case person(Person, SignInRecord)

        var entitlement: TokenIssuer.Entitlement {
            switch self {
            case .nobody: .client(scope: .none)
            case .person(let person, let record): .person(person, record.grant, scope: record.grant.scope)
            }
        }

        var record: SignInRecord? {
            switch self {
            case .nobody: nil
            case .person(_, let record): record
            }
        }
    }

    /// The token answer, as JSON. The token is bound to the key that the device proves, if it proves one; older tokens
    /// of the client for the domain become invalid, bound or not.
    func redeem(
        for client: AuthenticatedClient,
        _ domain: ServiceDomain,
        provenBy key: SenderKey?
    ) async throws -> [UInt8] {
        let id = client.client.id
        // The person may sign the device in or out between the read and the change; then it reads again.
        for _ in 0..<3 {
            let holder = try await store.read { try self.holder(of: id, domain, in: $0) }
            let prepared = try await tokens.prepare(
                TokenIssuer.Order(
                    entitlement: holder.entitlement,
                    client: client.client,
                    key: key,
                    dialect: .crossPlatform(domain)
                )
            )
            let isRecorded = try await store.change { repositories in
                try ClientRegistrations(repositories).require(client.client, at: prepared.made)
                let again = try self.holder(of: id, domain, in: repositories)
                guard again.record?.grant.id == holder.record?.grant.id else { return false }
                // A device that nobody signed in is kept for as long as its token, and a while longer.
                let span =
                    again.record == nil
                    ? prepared.ends.timeIntervalSince(prepared.made) + Client.firstLifetime : Client.lifetime
                let end = try AccessTokens(repositories).beginAnew(
                    id, for: domain, keepingItFor: span, at: prepared.made)
                if var record = again.record, record.note(prepared.made, until: max(prepared.ends, end)) {
                    try repositories.signIns.update(record)
                }
                if let grant = again.record?.grant { try repositories.repeatableAnswers.remove(grant.id) }
                try prepared.record(in: repositories)
                return true
            }
            if isRecorded { return prepared.answer }
        }
        throw CrossPlatformError(.temporarilyUnavailable, because: "the sign-in changed three times meanwhile")
    }

    /// The holder of the token that `client` gets right now; changes nothing.
    private func holder(
        of client: ClientID,
        _ domain: ServiceDomain,
        in repositories: any Repositories
    ) throws -> Holder {
        let now = clock.now()
        let record = try repositories.signIns.find(client, domain.name).flatMap { $0.isLive(at: now) ? $0 : nil }
        let person = try record.flatMap { try repositories.people.find($0.grant.subject) }
        let standing = try ClientRegistrations(repositories).standing(of: client, at: now)
        do {
            try policy.authorize(
                .redemption,
                client: standing,
                subject: record == nil ? nil : person?.standing ?? .absent,
                evidence: record?.grant.evidence ?? Evidence()
            )
        } catch .client {
            throw CrossPlatformError(.invalidClient, "client authentication failed", because: "refused by policy")
        } catch {
            throw CrossPlatformError(.cancelled, "the account of the person is closed", because: "policy: \(error)")
        }
        guard let record, let person else { return .nobody }
        return .person(person, record)
    }
}

extension AccessTokens {
    /// Removes all tokens of a device for a domain, so that the new one is the only one; the sign-in stays. Extends the
    /// device's registration, and returns its new end.
    ///
    /// - Parameter span: The time that the device stays registered without another token, in seconds.
    /// - Throws: ``CrossPlatformError`` `invalid_request` when the domain was removed.
    func beginAnew(
        _ client: ClientID,
        for domain: ServiceDomain,
        keepingItFor span: TimeInterval = Client.lifetime,
        at now: Date
    ) throws -> Date {
        guard try repositories.domains.find(domain.name)?.created == domain.created else {
            throw CrossPlatformError.unknownDomain
        }
        try repositories.accessTokens.removeAll(of: client, for: domain.name.rawValue)
        return try ClientRegistrations(repositories).prolong(client, for: span, at: now) ?? now
    }
}

extension CrossPlatformError {
    static let unknownDomain = CrossPlatformError(
        .invalidRequest,
        "the domain is not known",
        because: "the domain is not known"
    )
}
