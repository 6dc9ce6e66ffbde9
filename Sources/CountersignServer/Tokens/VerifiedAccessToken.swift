internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// An access token that is good right now, with its client and its person; made by
/// ``AccessTokens/verified(_:under:at:of:)`` alone.
struct VerifiedAccessToken: Sendable {
    let record: AccessTokenRecord
    let client: Client
    /// The person whom it was issued for; `nil` when the client acts for itself.
    let person: Person?
    /// The scope that it allows now: never more than its client is registered for, and its person may have.
    let scope: Scope

    fileprivate init(_ record: AccessTokenRecord, _ client: Client, _ person: Person?, allowing scope: Scope) {
        self.record = record
        self.client = client
        self.person = person
        self.scope = scope
    }
}

/// The access tokens that were not revoked.
struct AccessTokens {
    let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The record of an access token; `nil` when there is none, or when the token was signed by a key that this server
    /// no longer publishes.
    ///
    /// Only introspection asks for a token without using it; others present it, see ``PresentedAccessToken``.
    func find(_ token: AccessToken, trusting keys: Keys) throws -> AccessTokenRecord? {
        guard keys.trust(token) else { return nil }
        return try repositories.accessTokens.find(token.digest)
    }

    /// The access token that a request may use; `nil` when there is none that is good, and for a token that is bound to
    /// another key than the request proves.
    func verified(
        _ presented: PresentedAccessToken,
        trusting keys: Keys,
        under policy: Policy,
        at now: Date
    ) throws -> VerifiedAccessToken? {
        guard let record = try find(presented.token, trusting: keys), presented.proves(record.key) else {
            return nil
        }
        return try verified(record, under: policy, at: now)
    }

    /// An access token that was looked up, if it is good right now; `nil` when it has expired, policy refuses its
    /// client or its person, or the domain that a device got it for is gone.
    ///
    /// Every endpoint asks this function, which reads rows that are cached.
    /// - Parameter known: The client of the token where it was looked up already; `nil` by default.
    func verified(
        _ record: AccessTokenRecord,
        under policy: Policy,
        at now: Date,
        of known: Client? = nil
    ) throws -> VerifiedAccessToken? {
        guard now < record.expires, let client = try known ?? repositories.clients.find(record.client) else {
            return nil
        }
        let person = try record.subject.flatMap { try repositories.people.find($0) }
        do {
            try policy.authorize(
                .redemption,
                client: client.standing(at: now),
                subject: record.subject.map { _ in person?.standing ?? .absent },
                evidence: Evidence()
            )
        } catch {
            return nil
        }
        guard try isForKnownDomain(record, of: client) else { return nil }
        let registered = client.allowed(record.scope)
        guard let scope = try Groups(repositories).remaining(of: registered, for: record.subject, under: policy) else {
            return nil
        }
        return VerifiedAccessToken(record, client, person, allowing: scope)
    }

    /// Whether the domain of a device's token is still the one that the token was issued for.
    private func isForKnownDomain(_ token: AccessTokenRecord, of client: Client) throws -> Bool {
        guard case .device = client.registration else { return true }
        guard let domain = try repositories.domains.find(Domain(rawValue: token.audience)) else { return false }
        return token.issued >= domain.created
    }
}
