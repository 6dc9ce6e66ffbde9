package import FoundationEssentialsCompat

/// The clients that people muted.
package struct Mutes {
    private let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Mutes a client for a person, and withdraws the messages about its pending requests. These stay open, so that the
    /// client learns nothing, but are no longer shown.
    func add(_ mute: Mute) throws {
        try repositories.mutes.keep(mute)
        for waiting in try repositories.exchanges.waiting(for: mute.subject, at: mute.since)
        where waiting.exchange.request.client.value == mute.client {
            _ = try repositories.deliveries.withdraw(about: waiting.id, at: mute.since)
        }
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: mute.since, .muteAdded, by: .person, subject: mute.subject, client: mute.client,
                detail: mute.cause.rawValue)
        )
    }

    /// Unmutes a client for a person; returns whether it was muted.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - subject: The person.
    ///   - actor: The party that the audit names.
    ///   - note: Further facts for the audit; `nil`, the default, for none.
    ///   - now: The current time.
    package func lift(
        of client: ClientID, by subject: Subject, as actor: AuditActor, noting note: String? = nil, at now: Date
    ) throws -> Bool {
        guard try repositories.mutes.remove(subject, client) else { return false }
        try Audit(repositories).record(
            AuditEntry.Facts(at: now, .muteLifted, by: actor, subject: subject, client: client, detail: note))
        return true
    }
}
