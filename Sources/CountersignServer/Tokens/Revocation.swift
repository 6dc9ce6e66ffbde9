package import Countersign
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension Repositories {
    /// Signs one screen out: revokes all its tokens, removes the device that answers requests by it, lets its client
    /// know if that wants to be told, and writes all that into the audit.
    ///
    /// - Parameters:
    ///   - record: The sign-in that ends.
    ///   - cause: The reason why it ends.
    ///   - address: The network address of the party that asked for it; `nil`, the default, when there is none to note.
    ///   - now: The current time.
    func end(_ record: SignInRecord, because cause: SignInEnd, from address: String? = nil, at now: Date) throws {
        if record.revoked == nil, cause != .revokedByClient { try announceEnd(of: record, at: now) }
        var record = record
        record.revoked = record.revoked ?? now
        try signIns.update(record)
        try accessTokens.removeAll(of: record.grant.id)
        try refreshTokens.removeAll(of: record.grant.id)
        try repeatableAnswers.remove(record.grant.id)
        let facts = AuditEntry.Facts.end(of: record, because: cause, from: address, at: now)
        if let facts { try self.record(facts) }
        guard let device = try devices.find(record.grant.id) else { return }
        if let facts {
            try forget(device, by: facts.by, client: record.grant.client, from: address, at: now)
        } else {
            _ = try devices.remove(device.id)
        }
    }

    /// Signs a person out everywhere, in browsers too, withdraws their approvals that were not redeemed yet, and
    /// forgets what they allowed apps, and the devices that answer for them: those have to be enrolled anew, by new
    /// tickets.
    package func endAll(of subject: Subject, at now: Date) throws {
        try browserSessions.removeAll(of: subject)
        try cancelApprovals(of: subject, at: now)
        try consents.removeAll(of: subject)
        var records = try signIns.all(of: subject)
        while !records.isEmpty {
            for record in records { try end(record, because: .recordedOtherwise, at: now) }
            records = try signIns.all(of: subject)
        }
        // Those of the older dialect have no sign-in.
        _ = try devices.removeAll(of: subject)
        _ = try enrollmentTickets.removeAll(of: subject)
    }

    /// Withdraws all approvals of a person that were not redeemed yet, as an operator asks.
    package func cancelApprovals(of subject: Subject, at now: Date) throws {
        try cancelApprovals(by: subject, as: .operator, at: now) { _ in true }
    }

    /// Withdraws approvals of `subject` that were neither redeemed nor delivered yet, of exchanges that `include`
    /// accepts.
    func cancelApprovals(
        by subject: Subject,
        as actor: AuditActor = .person,
        at now: Date,
        of include: (SignInExchangeRecord) -> Bool
    ) throws {
        for var stored in try exchanges.approved(by: subject, at: now, where: include)
        where stored.terms.delivered == nil && stored.exchange.cancel(by: subject) {
            try write(withdrawn: stored, of: subject, by: actor, at: now)
        }
    }

    /// Writes an exchange whose approval was taken back, with its entry in the audit.
    func write(withdrawn stored: SignInExchangeRecord, of subject: Subject, by actor: AuditActor, at now: Date) throws {
        try exchanges.update(stored)
        try record(
            AuditEntry.Facts(
                at: now,
                .withdrawn,
                by: actor,
                subject: subject,
                client: stored.exchange.request.client.value,
                request: stored.id
            )
        )
    }
}

extension Store {
    /// Ends everything that a client holds, in batches, so that other changes do not wait long.
    ///
    /// Without the client none of it is valid; this is for the case that another client gets the same identifier.
    package func endAll(of client: ClientID, at now: Date) async throws {
        let some = 200
        var ended = some
        while ended >= some {
            ended = try await change { repositories in
                let records = try repositories.signIns.all(of: client, limit: some)
                for record in records { try repositories.end(record, because: .recordedOtherwise, at: now) }
                return records.count
            }
        }
        ended = some
        while ended >= some {
            ended = try await change { try $0.accessTokens.removeAll(of: client, limit: some) }
        }
    }

    /// Ends every sign-in for a domain, in batches.
    ///
    /// Tokens without a person are left to expire: without the domain they are invalid, and a later domain of the same
    /// name is younger than they are.
    package func endAll(of domain: Domain, at now: Date) async throws {
        let some = 200
        var ended = some
        while ended >= some {
            ended = try await change { repositories in
                let records = try repositories.signIns.all(of: domain, limit: some)
                for record in records { try repositories.end(record, because: .recordedOtherwise, at: now) }
                return records.count
            }
        }
    }
}
