internal import Countersign
internal import Foundation

extension Repositories {
    /// Signs a screen out as its person asks: of a device, all for which they signed it in, and what they approved for
    /// it that was not redeemed yet.
    ///
    /// A device that is then signed in for no person is forgotten, because that is how its app learns of it: it is told
    /// that its identity is unknown, and begins anew.
    func signOut(_ record: SignInRecord, at now: Date) throws {
        var records = [record]
        if record.request.domain != nil {
            let device = record.grant.client
            records = try signIns.all(of: device, limit: 1000).filter { $0.grant.subject == record.grant.subject }
            try cancelApprovals(of: device, by: record.grant.subject, at: now)
            try stopAutomaticSignOn(of: device, at: now)
        }
        for record in records {
            try end(record, at: now)
            try self.record(.end(of: record, by: .person, at: now))
        }
        try forgetUnlessSignedIn(record, at: now)
    }

    /// Takes an approval of `subject` back, and nothing else of theirs: before its grant was redeemed the screen gets
    /// nothing, afterwards its tokens end. A device is not let in again without asking.
    func undo(_ grant: Grant.ID, by subject: Subject, at now: Date) throws -> UndoOutcome {
        if let record = try signIns.find(grant), record.grant.subject == subject {
            guard record.revoked == nil else { return .nothing }
            guard SignInExchange.canUndo(record.grant, at: now) else { return .tooLate }
            try end(record, at: now)
            try self.record(.end(of: record, by: .person, at: now, detail: "undone"))
            try requireAsking(for: record.request, by: subject, at: now)
            try forgetUnlessSignedIn(record, at: now)
            return .undone
        }
        guard var stored = try exchanges.approved(by: subject).first(where: { $0.exchange.grant?.id == grant }) else {
            return .nothing
        }
        switch stored.exchange.withdraw(by: subject, at: now) {
        case .withdrawn:
            try write(withdrawn: stored, by: subject, at: now)
            try requireAsking(for: stored.exchange.request, by: subject, at: now)
            return .undone
        case .tooLate:
            return .tooLate
        case .revoke, .nothingToUndo:
            return .nothing
        }
    }

    // MARK: Automatic sign-on

    /// Lets a device be signed in for the domain of `request` only after its person was asked again.
    private func requireAsking(for request: SignInRequest, by subject: Subject, at now: Date) throws {
        guard let domain = request.domain?.value else { return }
        try cancelApprovals(of: request.client.value, for: domain, by: subject, at: now)
        try stopAutomaticSignOn(of: request.client.value, at: now)
    }

    /// Takes back what `subject` approved for a device and nothing was handed out for yet: there may be more than one
    /// approval, since a device may ask more than once.
    private func cancelApprovals(
        of device: ClientID,
        for domain: Domain? = nil,
        by subject: Subject,
        at now: Date
    ) throws {
        var cancelled = 0
        repeat {
            cancelled = 0
            for var stored in try exchanges.approved(by: subject) {
                let request = stored.exchange.request
                guard request.client.value == device, domain == nil || request.domain?.value == domain,
                    stored.exchange.cancel(by: subject)
                else { continue }
                try write(withdrawn: stored, by: subject, at: now)
                cancelled += 1
            }
        } while cancelled > 0
    }

    private func write(withdrawn stored: StoredExchange, by subject: Subject, at now: Date) throws {
        try exchanges.update(stored)
        try record(
            AuditEntry.Facts(
                at: now,
                .withdrawn,
                by: .person,
                subject: subject,
                client: stored.exchange.request.client.value,
                request: stored.id
            )
        )
    }

    /// From now on what was approved for a device before does not let it in automatically.
    private func stopAutomaticSignOn(of device: ClientID, at now: Date) throws {
        guard var client = try clients.find(device), case .device = client.registration else { return }
        client.undone = now
        try clients.update(client)
    }

    private func forgetUnlessSignedIn(_ ended: SignInRecord, at now: Date) throws {
        let id = ended.grant.client
        guard case .device = try clients.find(id)?.registration, try signIns.all(of: id, limit: 1).isEmpty else {
            return
        }
        _ = try clients.remove(id)
        // What it held without a person. It has one for each domain at most.
        _ = try accessTokens.removeAll(of: id, limit: 1000)
        try record(
            AuditEntry.Facts(
                at: now,
                .clientRemoved,
                by: .person,
                subject: ended.grant.subject,
                client: id,
                detail: "a device that is signed in for nobody"
            )
        )
    }
}

/// What became of taking an approval back.
enum UndoOutcome: Sendable {
    case undone
    /// The time in which an approval can be taken back is over.
    case tooLate
    /// There is no such approval, or it has ended.
    case nothing
}
