internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The consents that people gave to clients.
struct Consents {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The part of a scope that the person need not be asked about: they allowed it before, or the client's
    /// registration says so.
    func allowed(of scope: Scope, by subject: Subject, to client: Client) throws -> Scope {
        guard client.redirects.consent == .ask else { return scope }
        return try repositories.consents.find(subject, client.id)?.scope ?? .none
    }

    /// Adds to what a person allows a client.
    func note(_ scope: Scope, by subject: Subject, to client: ClientID, at now: Date) throws {
        let earlier = try repositories.consents.find(subject, client)?.scope ?? .none
        let added = scope.words.filter { !earlier.contains($0) }
        try repositories.consents.keep(
            Consent(subject: subject, client: client, scope: Scope(earlier.words + added), given: now)
        )
    }

    /// Removes what a person allowed a client, with its entry in the audit; returns whether there was anything.
    func remove(by subject: Subject, to client: ClientID, at now: Date) throws -> Bool {
        guard try repositories.consents.remove(subject, client) else { return false }
        try Audit(repositories).record(
            AuditEntry.Facts(at: now, .consentWithdrawn, by: .person, subject: subject, client: client))
        return true
    }
}
