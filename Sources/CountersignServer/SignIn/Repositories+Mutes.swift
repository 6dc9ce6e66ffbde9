package import Countersign
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension Repositories {
    /// Mutes a client for a person, and takes back what their devices were to be told of its requests. Those that wait
    /// stay open, so that the client learns nothing, and are not shown any more.
    func mute(_ mute: Mute) throws {
        try mutes.keep(mute)
        for waiting in try exchanges.waiting(for: mute.subject, at: mute.since)
        where waiting.exchange.request.client.value == mute.client {
            _ = try deliveries.withdraw(about: waiting.id, at: mute.since)
        }
        try record(
            AuditEntry.Facts(
                at: mute.since,
                .muteAdded,
                by: .person,
                subject: mute.subject,
                client: mute.client,
                detail: mute.cause.rawValue
            )
        )
    }

    /// Lets a client that a person muted ask them again; returns whether they had muted it.
    package func liftMute(
        of client: ClientID,
        by subject: Subject,
        as actor: AuditActor,
        at now: Date
    ) throws -> Bool {
        guard try mutes.remove(subject, client) else { return false }
        try record(AuditEntry.Facts(at: now, .muteLifted, by: actor, subject: subject, client: client))
        return true
    }

    /// The requests that wait for a person and are shown to them, the oldest first: those of clients that they muted
    /// are not.
    func shown(to subject: Subject, at now: Date) throws -> [SignInExchangeRecord] {
        var known: [ClientID: Bool] = [:]
        return try exchanges.waiting(for: subject, at: now).filter { stored in
            let client = stored.exchange.request.client.value
            let isMuted = try known[client] ?? (mutes.find(subject, client) != nil)
            known[client] = isMuted
            return !isMuted
        }
    }
}
