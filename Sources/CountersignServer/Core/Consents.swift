internal import FoundationEssentialsCompat

/// The consents of people to clients.
struct Consents {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The part of a scope without a question to the person, by an earlier consent or the client's registration.
    func allowed(of scope: Scope, by subject: Subject, to client: Client) throws -> Scope {
        guard client.redirects.consent == .ask else { return scope }
        return try repositories.consents.find(subject, client.id)?.scope ?? .none
    }

    /// Extends the consent of a person to a client.
    func note(_ scope: Scope, by subject: Subject, to client: ClientID, at now: Date) throws {
        let earlier = try repositories.consents.find(subject, client)?.scope ?? .none
        let added = scope.words.filter { !earlier.contains($0) }
        try repositories.consents.keep(
            Consent(subject: subject, client: client, scope: Scope(earlier.words + added), given: now)
        )
    }

    /// Removes the consent of a person to a client, with an audit entry; returns whether there was one.
    func remove(by subject: Subject, to client: ClientID, at now: Date) throws -> Bool {
        guard try repositories.consents.remove(subject, client) else { return false }
        try Audit(repositories).record(
            AuditEntry.Facts(at: now, .consentWithdrawn, by: .person, subject: subject, client: client))
        return true
    }
}
